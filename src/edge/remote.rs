//! Files of other servers, which `$bulk-submit` names. They are fetched from servers alone that the configuration
//! names, and redirects are not followed.

use std::io::Read;

use flate2::read::MultiGzDecoder;
use futures_util::StreamExt;
use worker::{Headers, Response};

use super::bucket::R2;
use super::http::read;
use super::outgoing::get;
use crate::api::is_allowed;
use crate::ingest::job::{Remote, RemoteFault};

/// The longest time for an answer, in milliseconds.
const TIMEOUT: u32 = 300_000;
/// The longest manifest, in bytes.
const LONGEST_MANIFEST: usize = 4 << 20;
/// The size of a part of an upload, in bytes. R2 takes no smaller ones but the last.
const UPLOAD: usize = 8 << 20;
/// The longest file, in bytes.
const LONGEST_FILE: usize = 1 << 30;

/// The servers that the configuration names.
pub struct OtherServers<'a> {
    /// The bucket for the files of the servers.
    pub bucket: &'a R2,
    /// The origins of the servers.
    pub origins: &'a [String],
}

impl OtherServers<'_> {
    async fn fetch(&self, url: &str, headers: &[(String, String)]) -> Result<Response, RemoteFault> {
        if !is_allowed(url, self.origins) {
            return Err(permanent("it is at none of the servers that this deployment fetches from"));
        }
        let all = Headers::new();
        for (name, value) in headers {
            all.set(name, value).map_err(temporary)?;
        }
        let response = get(url, all, TIMEOUT).await.map_err(temporary)?;
        match response.status_code() {
            200 => Ok(response),
            status @ (408 | 429 | 500..) => {
                Err(RemoteFault { is_permanent: false, why: format!("the answer was {status}") })
            }
            status => Err(permanent(&format!("the answer was {status}"))),
        }
    }

    async fn upload(&self, response: &mut Response, key: &str) -> Result<u64, RemoteFault> {
        let mut stream = response.stream().map_err(temporary)?;
        let (mut upload, mut parts, mut bytes, mut chunk) = (None, Vec::new(), 0, Vec::new());
        // Parts are counted from 1.
        let number = |parts: &Vec<_>| u16::try_from(parts.len() + 1).unwrap_or(u16::MAX);
        while let Some(next) = stream.next().await {
            chunk.extend(next.map_err(temporary)?);
            if chunk.len() < UPLOAD {
                continue;
            }
            let upload = match &upload {
                Some(upload) => upload,
                None => {
                    let begun = self.bucket.0.create_multipart_upload(key).execute().await.map_err(temporary)?;
                    upload.insert(begun)
                }
            };
            // R2 wants all parts but the last of one size.
            let rest = chunk.split_off(UPLOAD);
            let part = std::mem::replace(&mut chunk, rest);
            bytes += part.len();
            if bytes > LONGEST_FILE {
                upload.abort().await.map_err(temporary)?;
                return Err(permanent(&format!("it is longer than {LONGEST_FILE} bytes")));
            }
            parts.push(upload.upload_part(number(&parts), part).await.map_err(temporary)?);
        }
        bytes += chunk.len();
        let Some(upload) = upload else {
            self.bucket.0.put(key, chunk).execute().await.map_err(temporary)?;
            return Ok(bytes as u64);
        };
        if !chunk.is_empty() {
            parts.push(upload.upload_part(number(&parts), chunk).await.map_err(temporary)?);
        }
        upload.complete(parts).await.map_err(temporary)?;
        Ok(bytes as u64)
    }
}

impl Remote for OtherServers<'_> {
    async fn document(&self, url: &str, headers: &[(String, String)]) -> Result<String, RemoteFault> {
        let mut response = self.fetch(url, headers).await?;
        let bytes = read(response.stream().map_err(temporary)?, LONGEST_MANIFEST).await.map_err(temporary)?;
        let bytes = bytes.ok_or_else(|| permanent("it is too long"))?;
        // The platform does not inflate what is called x-gzip (RFC 9110, section 8.4.1.3).
        let mut inflated = Vec::new();
        if bytes.starts_with(&[0x1f, 0x8b]) {
            let most = LONGEST_MANIFEST as u64;
            let read = MultiGzDecoder::new(&*bytes).take(most).read_to_end(&mut inflated);
            read.map_err(|_| permanent("it is not gzip"))?;
        }
        let bytes = if inflated.is_empty() { bytes } else { inflated };
        String::from_utf8(bytes).map_err(|_| permanent("it is not UTF-8"))
    }

    async fn store(&self, url: &str, headers: &[(String, String)], key: &str) -> Result<u64, RemoteFault> {
        let mut response = self.fetch(url, headers).await?;
        self.upload(&mut response, key).await
    }
}

fn permanent(why: &str) -> RemoteFault {
    RemoteFault { is_permanent: true, why: why.to_owned() }
}

#[allow(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn temporary(error: worker::Error) -> RemoteFault {
    RemoteFault { is_permanent: false, why: error.to_string() }
}
