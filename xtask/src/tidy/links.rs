//! Every link in the documentation leads somewhere: to a file of the project, and where it names
//! a heading, to that heading. Links to other sites are not followed.

use std::path::{Component, Path, PathBuf};

use super::Source;

/// One line for each link that leads nowhere.
pub(crate) fn check(root: &Path, sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources.iter().filter(|source| source.has_ending("md")) {
        for (no, link) in links(&source.text) {
            if let Some(why) = broken(root, sources, source, &link) {
                found.push(format!("{}:{no}: link `{link}`: {why}", source.path));
            }
        }
    }
    found
}

/// Targets of `[text](target)` outside code blocks, with their lines.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut links = Vec::new();
    let mut in_code = false;
    for (line, no) in text.lines().zip(1..) {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if !in_code {
            let targets = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
            links.extend(targets.map(|(target, _)| (no, target.to_owned())));
        }
    }
    links
}

fn broken(root: &Path, sources: &[Source], from: &Source, link: &str) -> Option<&'static str> {
    if ["http://", "https://", "mailto:"].iter().any(|scheme| link.starts_with(scheme)) {
        return None;
    }
    let (file, heading) = link.split_once('#').map_or((link, None), |(file, heading)| (file, Some(heading)));
    let path = if file.is_empty() { from.path.clone() } else { beside(&from.path, file)? };
    let target = sources.iter().chain([from]).find(|source| source.path == path);
    if target.is_none() && !root.join(&path).exists() {
        return Some("there is no such file");
    }
    let missing = |heading| target.is_some_and(|target| !headings(&target.text).any(|known| known == heading));
    heading.filter(|heading| missing(heading.to_string())).map(|_| "the file has no such heading")
}

/// A relative path from the folder of `from`, as a path from the root.
fn beside(from: &str, file: &str) -> Option<String> {
    let mut path = Path::new(from).parent().map(Path::to_path_buf).unwrap_or_default();
    for part in Path::new(file).components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => path = PathBuf::from("nowhere"),
        }
    }
    Some(path.to_string_lossy().replace('\\', "/"))
}

/// The names under which a Markdown page's headings can be linked to.
fn headings(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter(|line| line.starts_with('#')).map(|line| {
        let words = line.trim_start_matches('#').trim().to_lowercase();
        let kept = words.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_to_nothing_is_found() {
        let text = "# A title, twice\n[a](lab.md) [b](nothing.md) [c](#a-title-twice) [d](#other)\n\
                    ```\n[e](in-code.md)\n```\n[f](https://example.org)\n";
        let page = Source { path: "docs/page.md".to_owned(), text: text.to_owned() };
        let found = check(&crate::root(), &[page]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("nothing.md") && found[1].contains("#other"), "{found:?}");
    }
}
