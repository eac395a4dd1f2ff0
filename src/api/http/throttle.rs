//! Rate limits by network and by client. The platform counts requests approximately and at no cost. Wrong guesses are
//! counted exactly, in the auth store ([`oauth::Guard`]).

use std::cell::RefCell;

/// The rate limits of the platform, as `wrangler.toml` declares them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Requests to the authorization server, and tokens to be verified, by network.
    Network,
    /// Authorization requests, by network. Each is stored before anybody has signed in.
    Authorize,
    /// Requests with already verified tokens, by client, in units of 64.
    Client,
    /// Calls of tools, by grant.
    Agent,
}

/// Counts requests against rate limits.
pub trait Throttle {
    /// Counts a request under this key, and returns whether it is within the limit.
    async fn admits(&self, limit: Limit, key: &str) -> bool;
}

/// The seconds that a caller over the limit has to wait: the period of the limits in `wrangler.toml`.
pub const WAIT: i64 = 60;

/// Counts a call by its network, and returns whether it is admitted. A call without a known network always is.
pub async fn is_admitted<T: Throttle>(throttle: &T, limit: Limit, network: &str) -> bool {
    network.is_empty() || throttle.admits(limit, network).await
}

/// The number of requests of a client that the platform counts as one. A count takes time, so most requests skip it.
pub const LOT: u32 = 64;

/// The number of requests of each client in the current minute, in this isolate. There are few clients in a minute.
#[derive(Debug, Default)]
pub struct ClientRates(RefCell<(i64, Vec<Rate>)>);

#[derive(Debug)]
struct Rate {
    client: String,
    count: u32,
    is_over: bool,
}

impl ClientRates {
    /// Counts a request of a client, and returns whether it is within the limit. The platform is queried once for each
    /// full lot. If it refuses, the client has to wait until the minute is over.
    pub async fn admit<T: Throttle>(&self, throttle: &T, client: &str, now: i64) -> bool {
        let (is_lot, is_over) = self.with(client, now, |rate| {
            rate.count += 1;
            (rate.count % LOT == 0, rate.is_over)
        });
        if is_over || !is_lot || throttle.admits(Limit::Client, client).await {
            return !is_over;
        }
        self.with(client, now, |rate| rate.is_over = true);
        false
    }

    fn with<T>(&self, client: &str, now: i64, change: impl FnOnce(&mut Rate) -> T) -> T {
        let (minute, rates) = &mut *self.0.borrow_mut();
        let current = now.div_euclid(WAIT);
        if *minute != current {
            *minute = current;
            rates.clear();
        }
        if let Some(rate) = rates.iter_mut().find(|rate| rate.client == client) {
            return change(rate);
        }
        let mut rate = Rate { client: client.to_owned(), count: 0, is_over: false };
        let result = change(&mut rate);
        rates.push(rate);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqlite::now;
    use std::cell::Cell;

    /// A platform that admits this number of requests.
    struct Counter(Cell<u32>);

    impl Throttle for Counter {
        async fn admits(&self, limit: Limit, key: &str) -> bool {
            assert_eq!((limit, key), (Limit::Client, "busy"));
            let left = self.0.get();
            self.0.set(left.saturating_sub(1));
            left > 0
        }
    }

    #[test]
    fn a_client_is_counted_in_lots_and_waits_for_the_next_minute() {
        let (rates, platform) = (ClientRates::default(), Counter(Cell::new(2)));
        let admitted = (0..1_000).take_while(|_| now(rates.admit(&platform, "busy", 59))).count();
        assert_eq!(admitted, 3 * LOT as usize - 1);
        assert!(!now(rates.admit(&platform, "busy", 59)));
        assert!(now(rates.admit(&platform, "quiet", 59)), "another client is not concerned");
        assert!(now(rates.admit(&platform, "busy", 60)));
    }
}
