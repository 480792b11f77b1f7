//! Draws shapes and text on a page. Lengths are points from the top left corner.

use krilla::color::rgb::Color;
use krilla::geom::{Path, PathBuilder, Point, Rect};
use krilla::num::NormalizedF32;
use krilla::paint::{Fill, FillRule, Stroke, StrokeDash};
use krilla::surface::Surface;

use super::fit::{Fitted, Frame, fit};
use super::fonts::Weight;
use super::shape::Line;

/// From one line to the next, as a part of the size.
const LEADING: f32 = 1.18;

pub(super) struct Pen<'a, 'p> {
    surface: &'a mut Surface<'p>,
}

impl<'a, 'p> Pen<'a, 'p> {
    pub(super) fn new(surface: &'a mut Surface<'p>) -> Self {
        Self { surface }
    }

    pub(super) fn fill(&mut self, path: Option<Path>, color: Color, opacity: f32) {
        let Some(path) = path else { return };
        let opacity = NormalizedF32::new(opacity).unwrap_or(NormalizedF32::ONE);
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(Fill { paint: color.into(), opacity, rule: FillRule::NonZero }));
        self.surface.draw_path(&path);
    }

    pub(super) fn rect(&mut self, [x, y, width, height]: [f32; 4], color: Color) {
        self.fill(rects(&[[x, y, width, height]]), color, 1.0);
    }

    /// A line, dashed if `dash` is not 0.
    pub(super) fn line(&mut self, from: [f32; 2], to: [f32; 2], width: f32, dash: f32, color: Color) {
        let mut path = PathBuilder::new();
        path.move_to(from[0], from[1]);
        path.line_to(to[0], to[1]);
        let Some(path) = path.finish() else { return };
        let dash = (dash > 0.0).then(|| StrokeDash { array: vec![dash, dash], offset: 0.0 });
        self.surface.set_fill(None);
        self.surface.set_stroke(Some(Stroke { paint: color.into(), width, dash, ..Stroke::default() }));
        self.surface.draw_path(&path);
    }

    /// Writes a line with its left end at `x`, standing on `y`.
    pub(super) fn write(&mut self, line: &Line, size: f32, x: f32, y: f32, color: Color) {
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(Fill { paint: color.into(), ..Fill::default() }));
        let mut x = x;
        for part in &line.parts {
            let font = part.face.drawing.clone();
            self.surface.draw_glyphs(Point::from_xy(x, y), &part.glyphs, font, &line.text, size, false);
            x += part.width * size;
        }
    }

    /// Writes what was fitted, its first line standing on `y`, and says where a next line would stand.
    pub(super) fn write_all(&mut self, text: &Fitted, x: f32, y: f32, color: Color) -> f32 {
        let mut y = y;
        for line in &text.lines {
            self.write(line, text.size, x, y, color);
            y += text.size * LEADING;
        }
        y
    }

    /// Fits a text and writes it.
    pub(super) fn text(&mut self, text: &str, weight: Weight, frame: Frame, [x, y]: [f32; 2], color: Color) -> f32 {
        self.write_all(&fit(text, weight, frame), x, y, color)
    }

    /// Turns the page by `degrees` around a point while `draw` draws.
    pub(super) fn turned(&mut self, degrees: f32, [x, y]: [f32; 2], draw: impl FnOnce(&mut Pen<'_, 'p>)) {
        self.surface.push_transform(&krilla::geom::Transform::from_rotate_at(degrees, x, y));
        draw(&mut Pen::new(self.surface));
        self.surface.pop();
    }
}

/// Rectangles as one shape: x, y, width, height each.
pub(super) fn rects(rects: &[[f32; 4]]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for [x, y, width, height] in rects {
        if let Some(rect) = Rect::from_xywh(*x, *y, *width, *height) {
            path.push_rect(rect);
        }
    }
    path.finish()
}

/// A shape with straight edges.
pub(super) fn polygon(corners: &[[f32; 2]]) -> Option<Path> {
    let mut path = PathBuilder::new();
    let (first, others) = corners.split_first()?;
    path.move_to(first[0], first[1]);
    for [x, y] in others {
        path.line_to(*x, *y);
    }
    path.close();
    path.finish()
}

pub(super) fn circle([x, y]: [f32; 2], radius: f32) -> Option<Path> {
    // The usual four curves; the number makes them a circle to a thousandth.
    let bend = radius * 0.552_285;
    let mut path = PathBuilder::new();
    path.move_to(x + radius, y);
    path.cubic_to(x + radius, y + bend, x + bend, y + radius, x, y + radius);
    path.cubic_to(x - bend, y + radius, x - radius, y + bend, x - radius, y);
    path.cubic_to(x - radius, y - bend, x - bend, y - radius, x, y - radius);
    path.cubic_to(x + bend, y - radius, x + radius, y - bend, x + radius, y);
    path.close();
    path.finish()
}
