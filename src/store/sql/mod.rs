//! Answers from an SQLite database: Cloudflare's D1, or a file. Records are packed charts in the table `chart`, which
//! the engine searches like those in KV. Types that are searched without a patient also have rows in `resource` and
//! `fact`. A search of these types is lowered to SQL statements with binds.

mod chart_cache;
mod chart_table;
mod charts;
mod databases;
mod deleted;
mod from_charts;
mod joins;
mod located;
mod lower;
mod lower_round;
mod permit;
mod recent_rows;
mod rewrite;
mod source;
mod store;
mod tables;
mod text;
mod window;

pub use chart_cache::ChartCache;
pub use chart_table::{ChartPart, chart_keys, chart_of, compartment_keys, is_last_part, open_chart, parts};
pub use databases::{Destination, RecordDatabases, RoutedStatement, ShardMapCache};
pub use deleted::select_deleted;
pub use rewrite::{ChartChange, RewriteError, rewrite, whole_chart};
pub use store::SqlStore;
pub use tables::{Change, ColumnType, Lookup, Row, ShardKey, Table, Value};
pub use window::FreshnessWindow;
