use std::io::{IsTerminal as _, stderr};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A sign on the terminal that work goes on, shown only where work takes long enough to wonder.
pub(crate) struct Progress {
    done: Option<(Sender<()>, JoinHandle<()>)>,
}

/// How long nothing is shown.
const QUIET: Duration = Duration::from_millis(500);

impl Progress {
    pub(crate) fn start(what: String) -> Progress {
        if !stderr().is_terminal() {
            return Progress { done: None };
        }
        let (sender, receiver) = channel();
        let shown = move || {
            if receiver.recv_timeout(QUIET).is_ok() {
                return;
            }
            let bar = ProgressBar::new_spinner().with_message(what);
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(100));
            let _ = receiver.recv();
            bar.finish_and_clear();
        };
        let thread = std::thread::Builder::new().name("progress".to_owned()).spawn(shown);
        Progress { done: thread.ok().map(|thread| (sender, thread)) }
    }

    /// Takes the sign away, before anything is written where it stands.
    pub(crate) fn finish(&mut self) {
        if let Some((sender, thread)) = self.done.take() {
            let _ = sender.send(());
            let _ = thread.join();
        }
    }
}
