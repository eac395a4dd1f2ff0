//! The pages of signing in: plain forms that work without script. Their style is one small sheet, served beside them.

mod consent;
mod frame;
mod manage;
mod pick;
mod signin;
mod signout;

pub use consent::consent;
pub use frame::{STYLE, page, redirect, refusal};
pub use manage::manage;
pub use pick::pick;
pub use signin::sign_in;
pub use signout::{sign_out, signed_out};
