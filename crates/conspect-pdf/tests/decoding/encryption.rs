//! Encrypted files: spec D3.

use std::collections::BTreeMap;
use std::sync::Arc;

use conspect_model::{Input, Limits, ReadError, Scope};
use lopdf::encryption::crypt_filters::{Aes128CryptFilter, Aes256CryptFilter, CryptFilter, Rc4CryptFilter};
use lopdf::{EncryptionState, EncryptionVersion, Permissions};

use crate::builder::{Builder, check, told};

/// Ways to encrypt, by their version and revision in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Rc4With40Bits,
    Rc4With128Bits,
    Rc4AsFilter,
    Aes128,
    Aes256OfRevision5,
    Aes256,
}

const WAYS: [Way; 6] = [
    Way::Rc4With40Bits,
    Way::Rc4With128Bits,
    Way::Rc4AsFilter,
    Way::Aes128,
    Way::Aes256OfRevision5,
    Way::Aes256,
];

/// A page with text in its content and in a string, which are encrypted apart.
fn plain() -> Vec<u8> {
    let mut builder = Builder::new();
    let remark =
        builder.add("<< /Type /Annot /Subtype /FreeText /Rect [50 500 150 520] /Contents (A remark) >>");
    let info = builder.add("<< /Title (Secret title) >>");
    builder.trailer = format!("/Info {info} 0 R");
    builder.page_with(&format!("/Annots [{remark} 0 R]"), "BT /F1 12 Tf 50 700 Td (Secret) Tj ET");
    builder.finish()
}

/// How it is encrypted, besides the way.
struct Options<'o> {
    user_password: &'o str,
    owner_password: &'o str,
    encrypt_metadata: bool,
    string_filter: &'o str,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { user_password: "", owner_password: "owner", encrypt_metadata: true, string_filter: "StdCF" }
    }
}

#[expect(deprecated, reason = "files of revision 5 exist and are read")]
fn encrypted(way: Way, options: &Options<'_>) -> Vec<u8> {
    let mut document = lopdf::Document::load_mem(&plain()).expect("a PDF");
    let filter: Arc<dyn CryptFilter> = match way {
        Way::Rc4AsFilter => Arc::new(Rc4CryptFilter),
        Way::Aes128 => Arc::new(Aes128CryptFilter),
        _ => Arc::new(Aes256CryptFilter),
    };
    let crypt_filters = BTreeMap::from([(b"StdCF".to_vec(), filter)]);
    let stream_filter = b"StdCF".to_vec();
    let string_filter = options.string_filter.as_bytes().to_vec();
    let Options { user_password, owner_password, encrypt_metadata, .. } = *options;
    let permissions = Permissions::all();
    let file_encryption_key = &[7; 32];
    let version = match way {
        Way::Rc4With40Bits => {
            EncryptionVersion::V1 { document: &document, owner_password, user_password, permissions }
        }
        Way::Rc4With128Bits => EncryptionVersion::V2 {
            document: &document,
            owner_password,
            user_password,
            key_length: 128,
            permissions,
        },
        Way::Rc4AsFilter | Way::Aes128 => EncryptionVersion::V4 {
            document: &document,
            encrypt_metadata,
            crypt_filters,
            stream_filter,
            string_filter,
            owner_password,
            user_password,
            permissions,
        },
        Way::Aes256OfRevision5 => EncryptionVersion::R5 {
            encrypt_metadata,
            crypt_filters,
            file_encryption_key,
            stream_filter,
            string_filter,
            owner_password,
            user_password,
            permissions,
        },
        Way::Aes256 => EncryptionVersion::V5 {
            encrypt_metadata,
            crypt_filters,
            file_encryption_key,
            stream_filter,
            string_filter,
            owner_password,
            user_password,
            permissions,
        },
    };
    let state = EncryptionState::try_from(version).expect("a key");
    document.encrypt(&state).expect("encrypted");
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).expect("written");
    assert!(memchr::memmem::find(&bytes, b"(Secret) Tj").is_none(), "{way:?} encrypts nothing");
    bytes
}

const TEXT: [&str; 2] = ["p Secret", "p A remark"];

fn read_with(bytes: &[u8], password: Option<&str>) -> Result<Vec<String>, ReadError> {
    let input = Input::new(bytes, "test.pdf").with_password(password);
    conspect_pdf::read(&input, &Scope::default(), &Limits::default()).map(|document| told(&document))
}

#[test]
fn files_with_an_empty_password_open_by_themselves() {
    for way in WAYS {
        let bytes = encrypted(way, &Options::default());
        check(&bytes, &TEXT);
        assert_eq!(read_with(&bytes, Some("needless")), Ok(TEXT.map(String::from).to_vec()), "{way:?}");
        let document = crate::builder::read(&bytes).expect("a document");
        assert_eq!(document.metadata.title.as_deref(), Some("Secret title"), "{way:?}");
    }
}

#[test]
fn the_users_and_the_owners_password_open_and_others_do_not() {
    let options =
        Options { user_password: "open sesame", owner_password: "forty thieves", ..Options::default() };
    for way in WAYS {
        let bytes = encrypted(way, &options);
        for password in ["open sesame", "forty thieves"] {
            assert_eq!(
                read_with(&bytes, Some(password)),
                Ok(TEXT.map(String::from).to_vec()),
                "{way:?} {password}"
            );
        }
        assert_eq!(read_with(&bytes, Some("open barley")), Err(ReadError::WrongPassword), "{way:?}");
        assert!(
            matches!(read_with(&bytes, None), Err(ReadError::Encrypted { can_open: true, .. })),
            "{way:?}"
        );
    }
}

#[test]
fn passwords_beyond_ascii_are_normalized_where_the_standard_wants_it() {
    let bytes = encrypted(Way::Aes256, &Options { user_password: "geﬁlte Fische", ..Options::default() });
    for password in ["gefilte Fische", "geﬁlte Fische"] {
        assert_eq!(read_with(&bytes, Some(password)), Ok(TEXT.map(String::from).to_vec()), "{password}");
    }
}

#[test]
fn metadata_and_strings_may_be_left_unencrypted() {
    for way in [Way::Rc4AsFilter, Way::Aes128, Way::Aes256OfRevision5, Way::Aes256] {
        check(&encrypted(way, &Options { encrypt_metadata: false, ..Options::default() }), &TEXT);
        check(&encrypted(way, &Options { string_filter: "Identity", ..Options::default() }), &TEXT);
    }
}

#[test]
fn a_kind_of_encryption_that_is_not_known_is_said_so() {
    let mut builder = Builder::new();
    let encryption = builder.add("<< /Filter /Adobe.PubSec /V 4 /R 4 /O () /U () /P -4 >>");
    builder.trailer = format!("/Encrypt {encryption} 0 R");
    builder.page("BT /F1 12 Tf 50 700 Td (Secret) Tj ET");
    let read = read_with(&builder.finish(), None);
    assert!(matches!(read, Err(ReadError::Encrypted { can_open: false, .. })), "{read:?}");
}
