use conspect_workspace::Workspace;

use crate::settings::Settings;

/// What an operation may use.
#[derive(Debug)]
pub struct Context {
    /// The files that may be read.
    pub workspace: Workspace,
    /// The values in force.
    pub settings: Settings,
    /// Who asks.
    pub door: Door,
    /// What the path `-` stands for; `None` where there is no such thing.
    pub standard_input: Option<Vec<u8>>,
}

/// Who asks for an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// A person or a script at a command line: lines that they name have no ceiling unless they set one.
    Command,
    /// A model: every answer has a ceiling.
    Model,
}
