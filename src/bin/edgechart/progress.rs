//! The progress of a long command.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use native::Progress;

/// A progress bar on a terminal. Elsewhere, a line for each part of the work.
#[derive(Default)]
pub struct Bar(Option<ProgressBar>);

impl Bar {
    /// Removes the bar.
    pub fn end(&mut self) {
        if let Some(bar) = self.0.take() {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Bar {
    fn begin(&mut self, what: &str, bytes: u64) {
        self.end();
        let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::stderr_with_hz(10));
        let style = ProgressStyle::with_template("{msg:>8} {wide_bar} {bytes}/{total_bytes}, {eta} left");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        if bar.is_hidden() {
            eprintln!("{what} {:.1} MB", bytes as f64 / 1e6);
        }
        self.0 = Some(bar);
    }

    fn at(&mut self, bytes: u64) {
        if let Some(bar) = &self.0 {
            bar.set_position(bytes);
        }
    }

    fn say(&mut self, line: &str) {
        match &self.0 {
            Some(bar) if !bar.is_hidden() => bar.println(line),
            Some(_) | None => eprintln!("{line}"),
        }
    }
}
