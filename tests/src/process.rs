//! Running a command under a deadline and a memory ceiling, and what it took.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use wait4::Wait4 as _;

/// What a finished command took and said.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How it ended.
    pub end: End,
    /// Processor time, its own and the system's for it.
    pub cpu: Duration,
    /// Time on the wall.
    pub wall: Duration,
    /// The most memory that was resident, in KiB.
    pub peak_kib: u64,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: String,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It exited with this status.
    Exit(i32),
    /// A signal ended it.
    Signal(i32),
    /// It was still running at the deadline and was killed.
    Deadline,
}

impl Finished {
    /// Whether a panic was caught somewhere inside: the run may have ended well all the same.
    pub fn panicked(&self) -> bool {
        self.end == End::Exit(101) || self.stderr.contains("panicked at")
    }
}

/// Runs a command with its arguments, no input, and a deadline.
pub fn run(program: &Path, arguments: &[&str], deadline: Duration) -> std::io::Result<Finished> {
    let started = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let pid = child.id();
    let (finished, watch) = mpsc::channel::<()>();
    let watchdog = std::thread::spawn(move || {
        let late = watch.recv_timeout(deadline) == Err(mpsc::RecvTimeoutError::Timeout);
        if late {
            // The child has not been waited for yet, so the number still belongs to it.
            let _ = Command::new("kill").args(["-9", &pid.to_string()]).status();
        }
        late
    });
    let waited = child.wait4();
    drop(finished);
    let late = watchdog.join().unwrap_or(false);
    let used = waited?;
    let end = match (late, used.status.code(), signal(&used.status)) {
        (true, ..) => End::Deadline,
        (_, Some(code), _) => End::Exit(code),
        (_, None, signal) => End::Signal(signal.unwrap_or(0)),
    };
    Ok(Finished {
        end,
        cpu: used.rusage.utime + used.rusage.stime,
        wall: started.elapsed(),
        peak_kib: used.rusage.maxrss / 1024,
        stdout: stdout.join().unwrap_or_default(),
        stderr: String::from_utf8_lossy(&stderr.join().unwrap_or_default()).into_owned(),
    })
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

#[cfg(unix)]
fn signal(status: &std::process::ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(status)
}

#[cfg(not(unix))]
fn signal(_status: &std::process::ExitStatus) -> Option<i32> {
    None
}
