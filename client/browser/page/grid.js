// How many cells fit on a page, and where each of them begins.

// The two forms of every screen.
const UPRIGHT = { columns: 40, rows: 40 };
const WIDE = { columns: 80, rows: 24 };
// With so many more rows, the buttons of a wide screen are as high as a finger needs them.
const BUTTON_ROWS = 3;
// On a page too low for these, so many more columns have the buttons, if there is room for the least.
const SIDE = { least: 14, most: 22 };
// Letters of 11 pixels need cells of this size.
const LEAST = { width: 6.7, height: 13 };
// Where there is room, cells are of this size, and never more of them than this.
const USUAL_WIDTH = 11;
const MOST_COLUMNS = 160;
// A page narrower than this that is higher than wide is held upright.
const NARROW = 640;
// How much higher than wide a cell is at least: on a low page there are more columns instead.
const LOWEST = 1.3;
// How much higher than wide a cell may be before there are more rows instead.
const HIGH_UPRIGHT = 2.2;
const HIGH_WIDE = 2;

// Returns {columns, rows, width, height}: cells, and the size of one, in pixels of the page. Where not even the least
// cells fit, the grid is larger than the page. `touch` says that fingers use it.
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
