//! The auth store: the state of the authorization server as SQL. One implementation of
//! [`AuthStore`](oauth::AuthStore), the trait in `oauth/auth_store.rs`, serves every
//! [`Database`](database::Database), so tests run the statements of D1 on SQLite.
//!
//! The trait for databases has batches instead of transactions; a batch is executed completely or not at all. An
//! operation that may happen only once is therefore one batch: its first statement redeems, and the later statements
//! check that it did. All binds are text. SQLite converts a bind to the type of the column with which it is compared;
//! elsewhere the statement casts it.

mod disable;
mod grants;
mod guesses;
mod links;
mod port;
mod purge;
mod register;
mod sql_auth_store;
mod users;

pub use disable::Holder;
pub use register::{
    AccessChange, Identity, ListedPatients, MAX_PATIENTS, UserRow, change_access, listed_patients, register_client,
    register_user,
};
pub use sql_auth_store::SqlAuthStore;
