use std::env;
use std::io::{self, IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};
use conspect_tools::{
    Context, Door, DrawPage, ErrorCode, Key, Outcome, ReadFile, Report, SETTINGS, Settings, ToolError,
    Workspace, draw_page, escaped, file_info, outline, page_picture, read_file,
};

use crate::arguments::{Arguments, Command, Common, Read};
use crate::output::{Output, say, say_as_it_is};
use crate::progress::Progress;

/// The exit code of a call that is wrong in itself; `clap` ends with the same.
const WRONG_CALL: u8 = 2;

/// Does what the command line says.
pub(crate) fn run() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Read(read) => run_read(*read),
        Command::Outline { outline: mut parameters, json, common } => {
            if json {
                parameters.output.format = Some("json".to_owned());
            }
            let paths = parameters.paths.clone().unwrap_or_default();
            answer(&paths, &common, |context, write| outline(context, &parameters, write))
        }
        Command::Info { mut info, json, common } => {
            if json {
                info.format = Some("json".to_owned());
            }
            let paths = info.paths.clone().unwrap_or_default();
            answer(&paths, &common, |context, write| file_info(context, &info, write))
        }
        Command::PageImage { page, common } => draw(&page, &common),
        Command::Config { common } => print_config(&common),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "conspect", &mut script);
            print(&String::from_utf8_lossy(&script));
            Ok(ExitCode::SUCCESS)
        }
        Command::Man => print_manual(),
    };
    done.unwrap_or_else(|error| {
        say(&format!("{error:#}"));
        ExitCode::from(WRONG_CALL)
    })
}

fn run_read(read: Read) -> anyhow::Result<ExitCode> {
    let Read { paths, options, mut output, explanation, json, common } = read;
    if json {
        output.format = Some("json".to_owned());
    }
    let parameters =
        ReadFile { path: None, paths: Some(paths.clone()), requests: None, options, output, explanation };
    answer(&paths, &common, |context, write| read_file(context, &parameters, write))
}

/// Draws a page into a file, or onto standard output where that is asked for.
fn draw(page: &DrawPage, common: &Common) -> anyhow::Result<ExitCode> {
    let paths: Vec<String> = page.path.iter().cloned().collect();
    if page.output.as_deref() != Some("-") {
        return answer(&paths, common, |context, write| draw_page(context, page, write));
    }
    if io::stdout().is_terminal() {
        anyhow::bail!("a picture is not for a terminal. Give the name of a file with -o, or leave -o out.");
    }
    let context = context(&paths, common)?;
    match page_picture(&context, page) {
        Ok(picture) => {
            let mut output = Output::new();
            output.write_bytes(&picture.png);
            output.finish();
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            say(&error.to_string());
            Ok(ExitCode::from(if error.code == ErrorCode::InvalidParams { WRONG_CALL } else { 3 }))
        }
    }
}

/// Runs an operation, writes its answer out, and says what went wrong.
fn answer(
    paths: &[String],
    common: &Common,
    operation: impl FnOnce(&Context, &mut dyn FnMut(&str)) -> Result<Report, ToolError>,
) -> anyhow::Result<ExitCode> {
    let context = context(paths, common)?;
    if paths.len() > 1 {
        // Files are read on threads of the pool; see `main` on their stack. Should there be a pool already, it stays.
        let _ = rayon::ThreadPoolBuilder::new().stack_size(crate::STACK_BYTES).build_global();
    }
    let what = match paths {
        [path] => format!("reading {}", escaped(path)),
        paths => format!("reading {} files", paths.len()),
    };
    let mut progress = Progress::start(what);
    let mut output = Output::new();
    let report = operation(&context, &mut |piece| {
        progress.finish();
        output.write(piece);
    });
    progress.finish();
    output.finish();
    match report {
        Ok(report) => {
            report.notices.iter().for_each(|notice| say(notice));
            report.errors.iter().for_each(|error| say(&error.to_string()));
            report.explanation.iter().for_each(|explanation| say_as_it_is(explanation));
            Ok(match report.outcome {
                Outcome::Fine => ExitCode::SUCCESS,
                Outcome::NothingMatched => ExitCode::from(1),
                Outcome::SomeFailed => ExitCode::from(3),
            })
        }
        Err(error) => {
            say(&error.to_string());
            Ok(ExitCode::from(WRONG_CALL))
        }
    }
}

fn context(paths: &[String], common: &Common) -> anyhow::Result<Context> {
    let here = env::current_dir().map_err(|_| anyhow::anyhow!("the current folder is gone"))?;
    let settings = settings(&here, common)?;
    let workspace = match &common.root {
        Some(root) => Workspace::open(&[root]),
        None => Workspace::open_file_system(&here),
    };
    let workspace = workspace.map_err(|_| {
        let root = common.root.as_deref().unwrap_or(Path::new("."));
        anyhow::anyhow!("{} is no folder that can be opened", root.display())
    })?;
    let standard_input = match paths.iter().any(|path| path == "-") {
        true => {
            let mut bytes = Vec::new();
            io::stdin()
                .lock()
                .read_to_end(&mut bytes)
                .map_err(|_| anyhow::anyhow!("standard input cannot be read"))?;
            Some(bytes)
        }
        false => None,
    };
    Ok(Context { workspace, settings, door: Door::Command, standard_input })
}

/// The settings from the flags, the environment, `conspect.toml` here and the user's own, in this order.
fn settings(here: &Path, common: &Common) -> anyhow::Result<Settings> {
    let mut files = Vec::new();
    let own = user_folder().map(|folder| folder.join("conspect"));
    for folder in std::iter::once(here.to_owned()).chain(own) {
        let Ok(workspace) = Workspace::open(&[&folder]) else { continue };
        let Ok(path) = workspace.resolve("conspect.toml") else { continue };
        if let Ok(bytes) = workspace.read(&path) {
            let name = folder.join("conspect.toml").display().to_string();
            files.push((name, String::from_utf8_lossy(bytes.bytes()).into_owned()));
        }
    }
    let variable = |name: &str| env::var(name).ok();
    let mut settings = Settings::resolve(&files, &variable)?;
    if let Some(max_bytes) = &common.max_file_bytes {
        settings.set(Key::ReadMaxBytes, "--max-file-bytes", max_bytes)?;
    }
    Ok(settings)
}

/// Where the user's own settings are: `$XDG_CONFIG_HOME`, or `.config` at home; on Windows `%APPDATA%`.
fn user_folder() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).filter(|folder| !folder.is_empty()).map(PathBuf::from);
    if cfg!(windows) {
        return folder("APPDATA");
    }
    folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")))
}

fn print_config(common: &Common) -> anyhow::Result<ExitCode> {
    let here = env::current_dir().map_err(|_| anyhow::anyhow!("the current folder is gone"))?;
    let settings = settings(&here, common)?;
    let width = SETTINGS.iter().map(|setting| setting.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for setting in SETTINGS {
        let (value, source) = settings.get(setting.key);
        text.push_str(&format!("{:width$}  {value:<9}  {source}\n", setting.name));
        text.push_str(&format!("{:width$}  {}; {}\n", "", setting.variable(), setting.help));
    }
    print(&text);
    Ok(ExitCode::SUCCESS)
}

fn print_manual() -> anyhow::Result<ExitCode> {
    let mut page = Vec::new();
    let command = Arguments::command();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for subcommand in command.get_subcommands() {
        clap_mangen::Man::new(subcommand.clone()).render(&mut page)?;
    }
    print(&String::from_utf8_lossy(&page));
    Ok(ExitCode::SUCCESS)
}

fn print(text: &str) {
    let mut output = Output::new();
    output.write(text);
    output.finish();
}
