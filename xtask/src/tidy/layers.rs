//! The order of the crates: the domain at the bottom, the program on top. A crate may use only
//! those before it, as `cargo metadata` tells; its own tests are no exception.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::stage::cargo;

/// From the bottom to the top.
const ORDER: [&str; 4] = ["boxoffice", "boxoffice-store", "boxoffice-lab", "boxoffice-server"];

/// Who uses whom among the workspace's crates.
///
/// # Errors
/// If cargo cannot tell.
pub(crate) fn edges(root: &Path) -> Result<Vec<(String, String)>> {
    let output = cargo(root).args(["metadata", "--no-deps", "--format-version", "1"]).output()?;
    if !output.status.success() {
        bail!("`cargo metadata` failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).context("`cargo metadata` printed no JSON")?;
    let packages = metadata["packages"].as_array().context("`cargo metadata` names no packages")?;
    let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
    let ours: Vec<String> = packages.iter().map(name).collect();
    let mut edges = Vec::new();
    for package in packages {
        let uses = package["dependencies"].as_array().into_iter().flatten().map(name);
        edges.extend(uses.filter(|used| ours.contains(used)).map(|used| (name(package), used)));
    }
    Ok(edges)
}

/// One line for each crate that uses one above it.
pub(crate) fn check(edges: &[(String, String)]) -> Vec<String> {
    let level = |krate: &str| ORDER.iter().position(|known| *known == krate);
    let upward = |user: &str, used: &str| match (level(user), level(used)) {
        (Some(user), Some(used)) => used > user,
        (None, Some(_)) => user != "xtask",
        (Some(_) | None, None) => true,
    };
    edges
        .iter()
        .filter(|(user, used)| upward(user, used))
        .map(|(user, used)| format!("{user} must not use {used}: the order is {}", ORDER.join(" <- ")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_edge_upward_is_found() {
        let edge = |user: &str, used: &str| vec![(user.to_owned(), used.to_owned())];
        assert_eq!(check(&edge("boxoffice-server", "boxoffice")), Vec::<String>::new());
        assert_eq!(check(&edge("boxoffice", "boxoffice")), Vec::<String>::new(), "its own test features");
        assert_eq!(check(&edge("boxoffice", "boxoffice-store")).len(), 1);
        assert_eq!(check(&edge("boxoffice-store", "boxoffice-lab")).len(), 1);
        assert_eq!(check(&edge("boxoffice-store", "xtask")).len(), 1, "nobody uses a crate outside the order");
    }

    #[test]
    fn cargo_names_the_edges() {
        let edges = edges(&crate::root()).expect("cargo metadata");
        assert!(edges.contains(&("boxoffice-store".to_owned(), "boxoffice".to_owned())));
    }
}
