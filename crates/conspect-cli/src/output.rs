use std::io::{self, BufWriter, ErrorKind, StdoutLock, Write};

/// Standard output for an answer that comes piece by piece.
pub(crate) struct Output {
    out: BufWriter<StdoutLock<'static>>,
}

impl Output {
    pub(crate) fn new() -> Output {
        Output { out: BufWriter::with_capacity(1 << 16, io::stdout().lock()) }
    }

    pub(crate) fn write(&mut self, text: &str) {
        self.write_bytes(text.as_bytes());
    }

    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) {
        check(self.out.write_all(bytes));
    }

    pub(crate) fn finish(mut self) {
        check(self.out.flush());
    }
}

/// Whoever reads the output may have seen enough, as `head` has: that is a success, and there is no more to do.
fn check(written: io::Result<()>) {
    let Err(error) = written else { return };
    if error.kind() != ErrorKind::BrokenPipe {
        say("standard output cannot be written to");
        std::process::exit(3);
    }
    std::process::exit(0);
}

/// Says something on standard error, if anybody listens.
pub(crate) fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "conspect: {text}");
}

/// Says something of several lines on standard error.
pub(crate) fn say_as_it_is(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
