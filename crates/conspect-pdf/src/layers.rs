//! Optional content: which layers the file's default view does not show.

use hayro_syntax::object::{Array, Dict, Name, Object, ObjectIdentifier};
use rustc_hash::FxHashSet;

/// The hidden layers of a file.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    hidden: FxHashSet<ObjectIdentifier>,
}

impl Layers {
    /// Reads the default configuration of the catalog.
    pub(crate) fn of_catalog(catalog: &Dict<'_>) -> Layers {
        let mut hidden = FxHashSet::default();
        let Some(properties) = catalog.get::<Dict<'_>>(b"OCProperties") else { return Layers { hidden } };
        let default = properties.get::<Dict<'_>>(b"D").unwrap_or_default();
        let ids = |dict: &Dict<'_>, key: &[u8]| -> Vec<ObjectIdentifier> {
            let layers = dict.get::<Array<'_>>(key);
            layers
                .iter()
                .flat_map(|layers| layers.iter::<Dict<'_>>().filter_map(|layer| layer.obj_id()))
                .collect()
        };
        if default.get::<Name<'_>>(b"BaseState").as_deref() == Some(b"OFF") {
            hidden.extend(ids(&properties, b"OCGs"));
        }
        hidden.extend(ids(&default, b"OFF"));
        for shown in ids(&default, b"ON") {
            hidden.remove(&shown);
        }
        Layers { hidden }
    }

    /// Whether content of this layer, or of this membership in layers, is not shown.
    pub(crate) fn is_hidden(&self, layer: &Dict<'_>) -> bool {
        if self.hidden.is_empty() {
            return false;
        }
        if layer.obj_id().is_some_and(|id| self.hidden.contains(&id)) {
            return true;
        }
        if let Some(expression) = layer.get::<Array<'_>>(b"VE") {
            return !self.holds(&expression, 0);
        }
        let is_off = |layer: Dict<'_>| layer.obj_id().is_some_and(|id| self.hidden.contains(&id));
        let members: Vec<bool> = match layer.get::<Object<'_>>(b"OCGs") {
            Some(Object::Dict(one)) => vec![is_off(one)],
            Some(Object::Array(many)) => many.iter::<Dict<'_>>().map(is_off).collect(),
            _ => return false,
        };
        if members.is_empty() {
            return false;
        }
        let is_shown = match layer.get::<Name<'_>>(b"P").as_deref() {
            Some(b"AllOn") => members.iter().all(|is_off| !is_off),
            Some(b"AnyOff") => members.iter().any(|is_off| *is_off),
            Some(b"AllOff") => members.iter().all(|is_off| *is_off),
            _ => members.iter().any(|is_off| !is_off),
        };
        !is_shown
    }

    /// Whether a visibility expression says that content is shown (ISO 32000-1, 8.11.2.2). One nested without measure
    /// does.
    fn holds(&self, expression: &Array<'_>, depth: usize) -> bool {
        const MAX_DEPTH: usize = 16;
        const MAX_OPERANDS: usize = 1000;
        if depth > MAX_DEPTH {
            return true;
        }
        let mut parts = expression.iter::<Object<'_>>().take(MAX_OPERANDS);
        let Some(Object::Name(operator)) = parts.next() else { return true };
        let mut operands = parts.map(|part| match part {
            Object::Dict(layer) => !layer.obj_id().is_some_and(|id| self.hidden.contains(&id)),
            Object::Array(inner) => self.holds(&inner, depth + 1),
            _ => true,
        });
        match operator.as_ref() {
            b"And" => operands.all(|is_shown| is_shown),
            b"Or" => operands.any(|is_shown| is_shown),
            b"Not" => !operands.next().unwrap_or(false),
            _ => true,
        }
    }
}
