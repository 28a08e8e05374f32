//! Workbooks.
use crate::package::Package;
use conspect_model::*;
pub(crate) fn read_package(
    _p: &Package<'_>,
    format: Format,
    _s: &Scope,
    _l: &Limits,
) -> Result<Document<'static>, ReadError> {
    Err(ReadError::Unsupported { format })
}
pub(crate) fn read_xls(_b: &[u8], _s: &Scope, _l: &Limits) -> Result<Document<'static>, ReadError> {
    Err(ReadError::Unsupported { format: Format::Xls })
}
