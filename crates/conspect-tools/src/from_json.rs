//! Parameters from JSON: the names that models send for others are accepted, and names that mean nothing refused.

use schemars::{JsonSchema, schema_for};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::ToolError;

/// Names that models send, and the parameters they mean.
const ALIASES: &[(&str, &str)] = &[
    ("file_path", "path"),
    ("absolute_path", "path"),
    ("line_start", "start_line"),
    ("line_end", "end_line"),
    ("user_query", "query"),
    ("doc_mode", "unit"),
];

/// The parameters of the operation `tool` from a JSON object.
pub(crate) fn from_json<P: DeserializeOwned + JsonSchema>(tool: &str, value: Value) -> Result<P, ToolError> {
    let Value::Object(object) = value else {
        return Err(ToolError::invalid(
            format!("the parameters of {tool} are not an object"),
            "Send an object such as {\"path\": \"notes.txt\"}",
        ));
    };
    let known = property_names::<P>();
    let object = renamed(tool, object, &known)?;
    serde_json::from_value(Value::Object(object)).map_err(|error| {
        ToolError::invalid(
            format!("a parameter of {tool} has a value of the wrong kind: {error}"),
            "See the tool's schema for the kind of each parameter",
        )
    })
}

fn property_names<P: JsonSchema>() -> Vec<String> {
    let schema = schema_for!(P);
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.map(|properties| properties.keys().cloned().collect()).unwrap_or_default()
}

/// The object under the parameters' own names, without those that are null.
fn renamed(
    tool: &str,
    object: Map<String, Value>,
    known: &[String],
) -> Result<Map<String, Value>, ToolError> {
    let mut out = Map::new();
    for (name, value) in object {
        if value.is_null() {
            continue;
        }
        let own =
            ALIASES.iter().find(|(alias, own)| *alias == name && known.iter().any(|known| known == own));
        let own = own.map_or(name.as_str(), |(_, own)| own);
        if !known.iter().any(|known| known == own) {
            return Err(ToolError::invalid(
                format!("{tool} has no parameter {name:?}"),
                format!("Its parameters are {}", known.join(", ")),
            ));
        }
        let value = match (own, value) {
            ("requests", Value::Array(requests)) => requests_of(tool, requests, known)?,
            (_, value) => value,
        };
        if out.insert(own.to_owned(), value).is_some() {
            return Err(ToolError::invalid(
                format!("{own:?} is given twice, once as {name:?}"),
                format!("Give only {own:?}"),
            ));
        }
    }
    Ok(out)
}

fn requests_of(tool: &str, requests: Vec<Value>, known: &[String]) -> Result<Value, ToolError> {
    // What a request may hold is what the call may, but for what concerns all files together.
    let of_call = ["paths", "requests", "budget", "format", "no_header"];
    let known: Vec<String> = known.iter().filter(|name| !of_call.contains(&name.as_str())).cloned().collect();
    let mut out = Vec::new();
    for request in requests {
        out.push(match request {
            Value::Object(object) => Value::Object(renamed(&format!("a request of {tool}"), object, &known)?),
            other => other,
        });
    }
    Ok(Value::Array(out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::ReadFile;
    use serde_json::json;

    fn read(value: Value) -> Result<ReadFile, String> {
        from_json("read_file", value).map_err(|error| error.cause)
    }

    /// R71.
    #[test]
    fn aliases_and_numbers_as_text_are_accepted() {
        let parameters = read(json!({
            "file_path": "a.txt", "line_start": "3", "line_end": 5.0, "user_query": "x", "doc_mode": "row", "head": null,
        }))
        .expect("parameters");
        assert_eq!(parameters.path.as_deref(), Some("a.txt"));
        assert_eq!(parameters.options.start_line.expect("given").0, "3");
        assert_eq!(parameters.options.end_line.expect("given").0, "5");
        assert_eq!(parameters.options.query.as_deref(), Some("x"));
        assert_eq!(parameters.options.unit.as_deref(), Some("row"));
        assert_eq!(parameters.options.head, None);
        let parameters =
            read(json!({"requests": [{"absolute_path": "a", "offset": 3}]})).expect("parameters");
        assert_eq!(parameters.requests.expect("given")[0].path.as_deref(), Some("a"));
    }

    #[test]
    fn names_that_mean_nothing_are_refused() {
        assert_eq!(read(json!({"pth": "a"})).expect_err("refused"), "read_file has no parameter \"pth\"");
        assert_eq!(
            read(json!({"requests": [{"path": "a", "budget": 3}]})).expect_err("refused"),
            "a request of read_file has no parameter \"budget\""
        );
        let twice = json!({"path": "a", "file_path": "b"});
        assert_eq!(read(twice).expect_err("refused"), "\"path\" is given twice, once as \"file_path\"");
        assert_eq!(read(json!([])).expect_err("refused"), "the parameters of read_file are not an object");
        assert!(read(json!({"path": 5})).expect_err("refused").contains("wrong kind"));
    }
}
