//! Where a request comes from: the network address of the client, which a proxy of ours says for it.

use std::net::IpAddr;

use axum::http::{Extensions, HeaderMap, HeaderName, Request};
use ipnet::IpNet;

use crate::app::AppState;
use crate::serve::Peer;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The address that counts for whoever guesses or crowds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    #[must_use]
    pub fn of<B>(state: &AppState, request: &Request<B>) -> Self {
        Self::read(&state.site.limits.trusted_proxies, request.extensions(), request.headers())
    }

    /// The last address of `X-Forwarded-For` that no proxy of ours has: what stands before it was
    /// written by the client. The header counts only if the connection comes from a proxy of ours.
    #[must_use]
    pub fn read(proxies: &[IpNet], extensions: &Extensions, headers: &HeaderMap) -> Self {
        let ours = |address: &IpAddr| proxies.iter().any(|net| net.contains(&address.to_canonical()));
        let peer = extensions.get::<Peer>().copied().unwrap_or_default().0;
        if !ours(&peer) {
            return Self(peer);
        }
        let said = headers.get_all(FORWARDED_FOR).iter().filter_map(|value| value.to_str().ok());
        let mut hops: Vec<&str> = said.flat_map(|value| value.split(',')).map(str::trim).collect();
        let mut nearest = peer;
        while let Some(hop) = hops.pop() {
            let Ok(address) = hop.parse::<IpAddr>() else { break };
            nearest = address;
            if !ours(&address) {
                break;
            }
        }
        Self(nearest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_proxies_of_ours_say_for_whom_they_ask() {
        let proxies: Vec<IpNet> = ["127.0.0.1/32", "10.0.0.0/8"].map(|net| net.parse().unwrap()).to_vec();
        let cases = [
            ("192.0.2.1", None, "192.0.2.1"),
            ("192.0.2.1", Some("198.51.100.7"), "192.0.2.1"),
            ("127.0.0.1", None, "127.0.0.1"),
            ("127.0.0.1", Some("198.51.100.7"), "198.51.100.7"),
            ("127.0.0.1", Some("203.0.113.9, 198.51.100.7"), "198.51.100.7"),
            ("127.0.0.1", Some("203.0.113.9, 198.51.100.7, 10.1.2.3"), "198.51.100.7"),
            ("127.0.0.1", Some("nonsense"), "127.0.0.1"),
            ("127.0.0.1", Some("198.51.100.7, nonsense"), "127.0.0.1"),
            ("::ffff:127.0.0.1", Some("2001:db8::1"), "2001:db8::1"),
            ("127.0.0.1", Some("10.0.0.1"), "10.0.0.1"),
        ];
        for (peer, said, client) in cases {
            let mut extensions = Extensions::new();
            extensions.insert(Peer(peer.parse().unwrap()));
            let mut headers = HeaderMap::new();
            if let Some(said) = said {
                headers.insert(FORWARDED_FOR, said.parse().unwrap());
            }
            let read = ClientAddress::read(&proxies, &extensions, &headers);
            assert_eq!(read.0, client.parse::<IpAddr>().unwrap(), "{peer} {said:?}");
        }
    }
}
