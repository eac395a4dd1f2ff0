//! The platform's rate limiting.

use worker::{Env, RateLimiter};

use api::Limit;

/// Returns the name of a limit's binding.
const fn binding(limit: Limit) -> &'static str {
    match limit {
        Limit::Network => "NETWORK",
        Limit::Authorize => "AUTHORIZE",
        Limit::Client => "CLIENT",
        Limit::Agent => "AGENT",
    }
}

/// The rate limits that are bound in an environment.
pub struct RateLimits([(Limit, Option<RateLimiter>); 4]);

impl RateLimits {
    /// Returns the limits that are bound in an environment.
    pub fn of(env: &Env) -> Self {
        Self(
            [Limit::Network, Limit::Authorize, Limit::Client, Limit::Agent]
                .map(|limit| (limit, env.rate_limiter(binding(limit)).ok())),
        )
    }

    /// Returns whether one more request under this key is admitted. A limit that is not bound, or does not answer,
    /// admits every request: guesses are counted in the auth store.
    pub async fn admit(&self, limit: Limit, key: &str) -> bool {
        match self.0.iter().find(|(of, _)| *of == limit) {
            Some((_, Some(limiter))) => limiter.limit(key.to_owned()).await.map_or(true, |outcome| outcome.success),
            Some((_, None)) | None => true,
        }
    }
}
