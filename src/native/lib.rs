//! The native runtime, of the command line and of tests: loads files into an SQLite database.

#![allow(clippy::disallowed_methods, reason = "a runtime has files and an environment")]

mod access;
mod audit;
mod blocks;
mod bulk;
mod client_key;
mod disable;
mod discard;
mod dump;
mod export;
mod failure;
mod http;
mod input;
mod keys;
mod load;
mod moves;
pub mod private;
mod reindex;
mod replay;
mod schema;
mod send;
mod server;
mod shards;
mod shelve;
mod spill_file;
mod sqlite_tables;
mod statements;
mod usage;
mod values;
mod writer;

pub use access::{
    AccessListChange, OptOutChange, Registrations, SandboxToken, access_statements, opt_out_statements, register,
    registration_statements, sandbox_registrations, stretch, token,
};
pub use audit::{LogLines, audit_events};
pub use blocks::{BlockStore, SharedBlocks, block_store, joined};
pub use bulk::{BulkExport, BulkLevel, BulkSince, FetchedExport};
pub use client_key::ClientKey;
pub use disable::Switch;
pub use discard::DiscardTarget;
pub use dump::{Contents, documents_of, dump};
pub use export::SqlFiles;
pub use failure::Failure;
pub use input::{InputDocuments, files};
pub use keys::{Rotation, Use, bulk, new_secrets, rotated, secret, write_secrets};
pub use load::{Loader, NoProgress, Progress, Summary};
pub use moves::{ShardStatus, delete_moved, move_buckets, shard_status};
pub use reindex::{Reindexed, reindex};
pub use replay::done_again;
pub use schema::database;
pub use send::{Sender, Sent};
pub use server::{ClientAccess, ClientProof, ServerAccess};
pub use shards::{attach_auth, sharded_database, stored_database};
pub use shelve::{Sink, shelve};
pub use sqlite::{SqliteDatabase, SqliteRows, tables};
pub use statements::{run, sql_text};
pub use usage::Usage;
pub use values::{Written, value_store};
pub use writer::SqliteWriter;
