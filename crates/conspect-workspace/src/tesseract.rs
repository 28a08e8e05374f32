use std::fmt;
use std::io::{self, Read, Write as _};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use conspect::{PageImage, PixelRect, RecognizeError, RecognizedLine, RecognizedWord, Recognizer};

/// How long one page may take.
const PAGE_DEADLINE: Duration = Duration::from_secs(120);
/// How long the program may take to say what it is.
const ASKING_DEADLINE: Duration = Duration::from_secs(10);
/// Between two looks at whether it has ended.
const TICK: Duration = Duration::from_millis(5);
/// More output than any page has.
const MAX_OUTPUT_BYTES: u64 = 32 << 20;
/// Words of which the program is less sure are specks and edges more often than words.
const MIN_CONFIDENCE: f32 = 20.0;

/// The program `tesseract`, where it is installed: it reads the text in pictures.
///
/// It is the one program that Conspect runs, and only when it is asked to. Pictures go in and text comes out through
/// pipes: nothing is written to the disk.
#[derive(Clone, Debug)]
pub struct Tesseract {
    name: String,
    languages: String,
}

/// Why `tesseract` cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TesseractError {
    /// It is not installed, or cannot be run.
    NotInstalled,
    /// It does not know the language.
    UnknownLanguage {
        /// The language asked for.
        language: String,
        /// Those that it knows.
        known: Vec<String>,
    },
}

impl fmt::Display for TesseractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TesseractError::NotInstalled => write!(f, "the program tesseract is not installed"),
            TesseractError::UnknownLanguage { language, known } => {
                write!(f, "tesseract does not know the language {language:?}, but {}", known.join(", "))
            }
        }
    }
}

impl std::error::Error for TesseractError {}

impl Tesseract {
    /// The program on the search path, for texts in these languages: its names for them, joined by `+`, such as
    /// `eng+deu`. Without any it takes them for English.
    pub fn find(languages: Option<&str>) -> Result<Tesseract, TesseractError> {
        let ask = |argument: &str| {
            run(command().arg(argument), &[], ASKING_DEADLINE)
                .ok()
                .filter(|ended| ended.is_success)
                .map(|ended| String::from_utf8_lossy(&ended.output).into_owned())
        };
        // The first line is `tesseract 5.3.0`.
        let version = ask("--version").ok_or(TesseractError::NotInstalled)?;
        let name = version.lines().next().unwrap_or("tesseract").trim().to_owned();
        let languages = languages.unwrap_or("eng").to_owned();
        let listed = ask("--list-langs").ok_or(TesseractError::NotInstalled)?;
        let known: Vec<String> = listed.lines().skip(1).map(|line| line.trim().to_owned()).collect();
        match languages.split('+').find(|language| !known.iter().any(|known| known == language)) {
            Some(language) => Err(TesseractError::UnknownLanguage { language: language.to_owned(), known }),
            None => Ok(Tesseract { name, languages }),
        }
    }
}

impl Recognizer for Tesseract {
    fn name(&self) -> &str {
        &self.name
    }

    fn recognize(&self, picture: &PageImage) -> Result<Vec<RecognizedLine>, RecognizeError> {
        let mut command = command();
        command.args(["stdin", "stdout", "-l", &self.languages, "--dpi", &picture.dpi.to_string(), "tsv"]);
        let ended = run(&mut command, &picture.png, PAGE_DEADLINE)?;
        if !ended.is_success {
            let said = String::from_utf8_lossy(&ended.complaint);
            let said = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing").trim();
            return Err(RecognizeError::Failed(said.chars().take(200).collect()));
        }
        Ok(lines_of(&String::from_utf8_lossy(&ended.output)))
    }
}

#[expect(clippy::disallowed_methods, reason = "the one outside program, run only when it is asked for")]
fn command() -> Command {
    let mut command = Command::new("tesseract");
    // More threads make it slower, and may not take from those that read other files.
    command.env("OMP_THREAD_LIMIT", "1");
    command
}

struct Ended {
    is_success: bool,
    output: Vec<u8>,
    complaint: Vec<u8>,
}

/// Runs a program to its end or to the deadline, whichever comes first.
fn run(command: &mut Command, input: &[u8], deadline: Duration) -> Result<Ended, RecognizeError> {
    let start = Instant::now();
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.map_err(|_| RecognizeError::NotRun)?;
    let stdin = child.stdin.take();
    let stdout = child.stdout.take();
    let stderr = child.stderr.take();
    thread::scope(|scope| {
        // A program that does not read all of its input breaks the pipe; what it says then tells more.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
        let output = scope.spawn(move || all_of(stdout));
        let complaint = scope.spawn(move || all_of(stderr));
        let is_success = wait(&mut child, start + deadline);
        let output = output.join().unwrap_or_default();
        let complaint = complaint.join().unwrap_or_default();
        Ok(Ended { is_success: is_success?, output, complaint })
    })
}

fn all_of(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        let _ = pipe.by_ref().take(MAX_OUTPUT_BYTES).read_to_end(&mut bytes);
        let _ = io::copy(&mut pipe, &mut io::sink());
    }
    bytes
}

fn wait(child: &mut Child, deadline: Instant) -> Result<bool, RecognizeError> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.success()),
            Ok(None) if Instant::now() < deadline => thread::sleep(TICK),
            Ok(None) | Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(RecognizeError::TimedOut);
            }
        }
    }
}

/// The lines of the program's table: a row for every block, paragraph, line and word, tab-separated.
fn lines_of(table: &str) -> Vec<RecognizedLine> {
    let mut lines: Vec<RecognizedLine> = Vec::new();
    for row in table.lines().skip(1) {
        let mut fields = row.splitn(12, '\t');
        let level = fields.next();
        let mut numbers = fields.by_ref().skip(5).take(4).map_while(|field| field.parse::<u32>().ok());
        let (Some(left), Some(top), Some(width), Some(height)) =
            (numbers.next(), numbers.next(), numbers.next(), numbers.next())
        else {
            continue;
        };
        let place =
            PixelRect { left, top, right: left.saturating_add(width), bottom: top.saturating_add(height) };
        match level {
            Some("4") => lines.push(RecognizedLine { place, words: Vec::new() }),
            Some("5") => {
                let confidence = fields.next().and_then(|field| field.parse::<f32>().ok()).unwrap_or(0.0);
                let text = fields.next().unwrap_or_default().trim();
                if let Some(line) = lines.last_mut()
                    && !text.is_empty()
                    && confidence >= MIN_CONFIDENCE
                {
                    line.words.push(RecognizedWord { text: text.to_owned(), place, confidence });
                }
            }
            _ => {}
        }
    }
    lines.retain(|line| !line.words.is_empty());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_the_table_become_lines_of_words() {
        let table = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n\
                     1\t1\t0\t0\t0\t0\t0\t0\t600\t800\t-1\t\n\
                     4\t1\t1\t1\t1\t0\t10\t20\t200\t30\t-1\t\n\
                     5\t1\t1\t1\t1\t1\t10\t20\t90\t30\t96.5\tStone\n\
                     5\t1\t1\t1\t1\t2\t110\t20\t100\t30\t91.0\tis\n\
                     5\t1\t1\t1\t1\t3\t210\t20\t3\t3\t4.0\t'\n\
                     4\t1\t1\t1\t2\t0\t10\t60\t200\t30\t-1\t\n\
                     5\t1\t1\t1\t2\t1\t10\t60\t9\t9\t95\t \n\
                     broken\n";
        let lines = lines_of(table);
        let texts: Vec<Vec<&str>> =
            lines.iter().map(|line| line.words.iter().map(|word| word.text.as_str()).collect()).collect();
        assert_eq!(texts, [["Stone", "is"]]);
        assert_eq!(lines[0].place, PixelRect { left: 10, top: 20, right: 210, bottom: 50 });
        assert_eq!(lines[0].words[1].place.left, 110);
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_does_not_end_is_ended() {
        #![expect(clippy::disallowed_methods, reason = "a program that hangs")]
        let mut hanging = Command::new("sleep");
        let ended = run(hanging.arg("60"), &[0; 1 << 20], Duration::from_millis(50));
        assert_eq!(ended.err(), Some(RecognizeError::TimedOut));
        let missing = run(&mut Command::new("no-such-program-at-all"), &[], ASKING_DEADLINE);
        assert_eq!(missing.err(), Some(RecognizeError::NotRun));
    }
}
