//! The pages of the sign-in: plain forms that work without scripts, with a style sheet.

mod consent;
mod frame;
mod groups;
mod manage;
mod messages;
mod pick;
#[cfg(test)]
mod rendered;
mod signin;
mod signout;

pub use consent::consent;
pub use frame::{STYLE, ended, page, provider_failed, redirect, refusal};
pub use manage::manage;
pub use messages::Messages;
pub use pick::{pick, pick_encounter};
pub use signin::sign_in;
pub use signout::{sign_out, signed_out};
