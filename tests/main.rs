//! The tests of the core on native stores and of the command line, as one program. Each module is a file or a folder
//! beside this one; `cargo test --test integration load::` runs one of them.

#![cfg(test)]
#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

mod agree;
mod bulk;
mod bulk_data;
mod carriers;
mod cases;
mod changed;
mod damage;
mod directory_joins;
mod docs;
mod documents;
mod dump;
mod export_trials;
mod exports;
mod filters;
mod hostile_files;
mod house;
mod includes;
mod jobs;
mod load;
mod numbers;
mod outside;
mod ownership;
mod presence;
mod reindex;
mod remote;
mod replicas;
mod routes;
mod schema;
mod scopes;
mod search_parameters;
mod send;
mod settings;
mod shards;
mod shelves;
mod signin;
mod statements;
mod support;
mod token_service;
mod trials;
mod us_core;
mod window;
mod world;
mod writer;
