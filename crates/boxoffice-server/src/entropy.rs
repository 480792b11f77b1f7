//! The operating system's randomness, for ids, references and secrets.

use boxoffice::service::Entropy;
use rand::TryRng;
use rand::rngs::SysRng;

/// Asks the operating system each time.
#[derive(Debug, Clone, Copy, Default)]
pub struct OsEntropy;

impl Entropy for OsEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        SysRng.try_fill_bytes(bytes).expect("the operating system gives random bytes");
    }
}
