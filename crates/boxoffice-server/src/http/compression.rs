//! Answers that go out compressed, for whoever takes them so. Not what is private: next to a secret,
//! the length of a compressed answer could tell of it. Not what has a strong tag, which stands for
//! its very bytes, or what is compressed already.

use axum::http::header::{CACHE_CONTROL, ETAG};
use axum::http::{Extensions, HeaderMap, StatusCode, Version};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};

/// Shorter answers would hardly become shorter.
const FROM_BYTES: u64 = 1_024;

/// The layer.
#[must_use]
pub fn layer() -> CompressionLayer<impl Predicate> {
    let worth_it = SizeAbove::new(FROM_BYTES).and(NotForContentType::IMAGES).and(may_be_compressed);
    CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(worth_it)
}

fn may_be_compressed(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    let strong = headers.get(ETAG).is_some_and(|tag| !tag.as_bytes().starts_with(b"W/"));
    let private = headers.get(CACHE_CONTROL).is_some_and(|how| how == "no-store");
    !strong && !private
}
