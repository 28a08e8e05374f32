//! Running commands under a deadline and a ceiling on memory, and what each took.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
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

/// How a run went, worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It exited with 0.
    Ok,
    /// It exited with another status.
    Error,
    /// It panicked, or caught a panic and said so.
    Panic,
    /// A signal ended it.
    Abort,
    /// The deadline ended it.
    Hang,
}

impl Finished {
    /// How the run went.
    pub fn outcome(&self) -> Outcome {
        match self.end {
            End::Deadline => Outcome::Hang,
            End::Signal(_) => Outcome::Abort,
            _ if self.panicked() => Outcome::Panic,
            End::Exit(0) => Outcome::Ok,
            End::Exit(_) => Outcome::Error,
        }
    }

    /// Whether a panic was caught somewhere inside: the run may have ended well all the same.
    pub fn panicked(&self) -> bool {
        self.end == End::Exit(101) || self.stderr.contains("panicked at")
    }
}

/// Does a job with each item, as many at a time as there are processors; the results are in the order of the items.
pub fn run_each<I: Sync, R: Send>(items: &[I], job: impl Fn(&I) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let n_workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..n_workers {
            scope.spawn(|| {
                loop {
                    let idx = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(idx) else { break };
                    let result = job(item);
                    results.lock().expect("no worker panics").push((idx, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no worker panics");
    results.sort_by_key(|(idx, _)| *idx);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Runs a command with its arguments, no input, and a deadline.
pub fn run(program: &Path, arguments: &[&str], deadline: Duration) -> std::io::Result<Finished> {
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::piped());
    watch(command, deadline)
}

/// The same for what it takes alone: nobody listens to what it writes to standard output. A process that begins as a
/// copy of a large one counts as large, so whoever measures memory should hold little.
pub fn measure(program: &Path, arguments: &[&str], deadline: Duration) -> std::io::Result<Finished> {
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::null());
    watch(command, deadline)
}

/// Runs a command as [`run`] does, with a ceiling on its address space, in KiB: what asks for more memory is refused it, and mostly aborts.
pub fn run_within(
    program: &Path,
    arguments: &[&str],
    deadline: Duration,
    max_kib: u64,
) -> std::io::Result<Finished> {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {max_kib} && exec \"$0\" \"$@\"")]).arg(program).args(arguments);
    command.stdout(Stdio::piped());
    watch(command, deadline)
}

fn watch(mut command: Command, deadline: Duration) -> std::io::Result<Finished> {
    let started = Instant::now();
    let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn()?;
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
