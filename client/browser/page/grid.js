// How many cells fit on a page, and how large they are.

// The two forms of every screen.
const UPRIGHT = { columns: 40, rows: 40 };
const WIDE = { columns: 80, rows: 24 };
// With this many more rows, the buttons of a wide screen are high enough for a finger.
const BUTTON_ROWS = 3;
// On a page too low for these rows, the buttons are in `least` to `most` more columns, if that many fit.
const SIDE = { least: 14, most: 22 };
// Letters of 11 pixels need cells of this size.
const LEAST = { width: 6.7, height: 13 };
// Where there is room, cells have this width, and there are never more columns than this.
const USUAL_WIDTH = 11;
const MOST_COLUMNS = 160;
// A page that is narrower than this, and higher than it is wide, is held upright.
const NARROW = 640;
// The least height of a cell, in widths: a low page has more columns instead of lower cells.
const LOWEST = 1.3;
// The greatest height of a cell, in widths: a higher page has more rows instead.
const HIGH_UPRIGHT = 2.2;
const HIGH_WIDE = 2;

// Returns {columns, rows, width, height}: the numbers of cells, and the size of one, in pixels of the page. Where not
// even the smallest cells fit, the grid is larger than the page. `touch` says whether the page is used by touch.
export function gridFor(width, height, touch) {
  const upright = width < WIDE.columns * LEAST.width || (width < NARROW && width < height);
  const form = upright ? UPRIGHT : WIDE;
  const spare = Math.max(0, Math.floor(height / LEAST.height) - form.rows);
  const most = Math.min(WIDE.columns + SIDE.most, Math.floor(width / LEAST.width));
  const beside = touch && !upright && spare < BUTTON_ROWS && most >= WIDE.columns + SIDE.least;
  const least = form.rows + (touch && !upright && !beside ? Math.min(BUTTON_ROWS, spare) : 0);
  const low = Math.ceil((width * LOWEST) / Math.max(LEAST.height, height / least));
  const usual = Math.max(beside ? most : form.columns, low, Math.floor(width / USUAL_WIDTH));
  const columns = upright ? form.columns : Math.min(MOST_COLUMNS, usual);
  const wide = Math.max(LEAST.width, width / columns);
  const rows = beside ? least : Math.max(least, Math.floor(height / (wide * (upright ? HIGH_UPRIGHT : HIGH_WIDE))));
  return { columns, rows, width: wide, height: Math.max(LEAST.height, height / rows) };
}
