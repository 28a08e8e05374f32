//! The command `conspect`.
//!
//! [`arguments`] is what can be typed, [`run`] what it does; the operations themselves are in `conspect-tools`. The
//! answer goes to standard output, everything else to standard error.
//!
//! Exit codes: 0 fine, 1 nothing matched, 2 a wrong call, 3 some files failed (the others were printed).

mod arguments;
mod output;
mod progress;
mod run;

use std::process::ExitCode;

fn main() -> ExitCode {
    // A panic in a reader is caught where it happens, and told as an error of its file. One anywhere else is told
    // here, without a trace that would mean nothing to whoever sees it.
    std::panic::set_hook(Box::new(|_| {}));
    // Documents may nest, and a reader's depth is bounded, not its stack.
    let worker =
        std::thread::Builder::new().name("conspect".to_owned()).stack_size(STACK_BYTES).spawn(run::run);
    match worker.map(|worker| worker.join()) {
        Ok(Ok(code)) => code,
        Ok(Err(panic)) => {
            let what =
                panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
            output::say(&format!(
                "this is a bug in conspect: {}",
                what.unwrap_or("it stopped without a word")
            ));
            ExitCode::from(70)
        }
        Err(_) => {
            output::say("the system gives no memory for a thread");
            ExitCode::from(70)
        }
    }
}

/// Stack of the threads that read files.
const STACK_BYTES: usize = 64 << 20;
