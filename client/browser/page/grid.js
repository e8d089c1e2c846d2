// How many cells fit on a page, and where each of them begins.

// The two forms of every screen.
const UPRIGHT = { columns: 40, rows: 40 };
const WIDE = { columns: 80, rows: 24 };
// Letters of 11 pixels need cells of this size.
const LEAST = { width: 6.7, height: 13 };
// Where there is room, cells are of this size, and never more of them than this.
const USUAL_WIDTH = 11;
const MOST_COLUMNS = 160;
// A page narrower than this that is higher than wide is held upright.
const NARROW = 640;
// How much higher than wide a cell may be before there are more rows instead.
const HIGH_UPRIGHT = 2.2;
const HIGH_WIDE = 2;

// Returns {columns, rows, width, height}: cells, and the size of one, in pixels of the page. Where not even the least
// cells fit, the grid is larger than the page.
export function gridFor(width, height) {
  const upright = width < WIDE.columns * LEAST.width || (width < NARROW && width < height);
  const form = upright ? UPRIGHT : WIDE;
  const columns = upright
    ? form.columns
    : Math.min(MOST_COLUMNS, Math.max(form.columns, Math.floor(width / USUAL_WIDTH)));
  const wide = Math.max(LEAST.width, width / columns);
  const rows = Math.max(form.rows, Math.floor(height / (wide * (upright ? HIGH_UPRIGHT : HIGH_WIDE))));
  return { columns, rows, width: wide, height: Math.max(LEAST.height, height / rows) };
}
