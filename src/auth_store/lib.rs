//! The auth store: the state of the authorization server as SQL. One implementation of
//! [`AuthStore`](oauth::AuthStore), the trait in `oauth/auth_store.rs`, serves every
//! [`Database`](database::Database), so tests run the statements of D1 on SQLite.
//!
//! A database here has batches instead of transactions; a batch happens completely or not at all. An operation that may
//! happen once is therefore one batch: its first statement redeems, and the later ones check that it did. All binds are
//! text. SQLite converts them to the type of the column that they are compared with; elsewhere the statement casts
//! them.

mod disable;
mod guesses;
mod passkeys;
mod port;
mod purge;
mod register;
mod single_use;
mod sql_auth_store;
mod users;

pub use disable::Holder;
pub use register::{
    AccessChange, Identity, ListedPatients, UserRow, change_access, listed_patients, register_client, register_user,
};
pub use sql_auth_store::SqlAuthStore;
