//! The files of the app, through the binding of the assets.

use worker::{Env, Fetcher};

use super::reading::text_of;
use api::AssetPort;
use job::LocalFuture;

/// The binding of the assets.
const ASSETS: &str = "ASSETS";
/// The address of its requests. It has no host, so that any will do.
const ADDRESS: &str = "https://assets";

/// The files of the app.
pub struct Assets(Fetcher);

impl Assets {
    /// Returns the files, if the deployment has them.
    pub fn of(env: &Env) -> Option<Self> {
        env.assets(ASSETS).ok().map(Self)
    }
}

impl AssetPort for Assets {
    fn text(&self, path: &'static str) -> LocalFuture<'_, Result<String, String>> {
        Box::pin(async move {
            let response = self.0.fetch([ADDRESS, path].concat(), None).await.map_err(|error| error.to_string())?;
            text_of(response).await.map_err(|error| error.to_string())
        })
    }
}
