// SPDX-License-Identifier: GPL-2.0-only
//! tprof-lx selftests - a Rust program with known call chains
//!
//! usage: traits SECONDS
//!
//!	main -> <traits::Miller as traits::Work>::work -> traits::leaf
use std::hint::black_box;
use std::time::{Duration, Instant};

trait Work {
    fn work(&self, value: u64) -> u64;
}

struct Miller;

#[inline(never)]
fn leaf(mut value: u64) -> u64 {
    for _ in 0..400000 {
        value = black_box(value.wrapping_mul(6364136223846793005).wrapping_add(1));
    }
    value
}

impl Work for Miller {
    #[inline(never)]
    fn work(&self, value: u64) -> u64 {
        leaf(value).wrapping_add(1)
    }
}

fn main() {
    let seconds: f64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1.0);
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let worker: &dyn Work = black_box(&Miller);
    let mut value = 1;

    while Instant::now() < end {
        value = worker.work(value).wrapping_add(1);
    }
    black_box(value);
}
