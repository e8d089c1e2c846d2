// Shapes that fill their cell or join those beside them, and marks that some fonts do not have. Each is painted into
// the rectangle of its cell, in whole pixels of the screen, so that neighbors meet without a seam.

const [UP, RIGHT, DOWN, LEFT] = [1, 2, 4, 8];
const LINES = {
  "─": LEFT | RIGHT, "│": UP | DOWN, "┌": RIGHT | DOWN, "┐": LEFT | DOWN, "└": UP | RIGHT, "┘": UP | LEFT,
  "├": UP | RIGHT | DOWN, "┤": UP | DOWN | LEFT, "┬": RIGHT | DOWN | LEFT, "┴": UP | RIGHT | LEFT, "┼": 15,
};
const CORNERS = { "╭": [1, 1], "╮": [-1, 1], "╰": [1, -1], "╯": [-1, -1] };
// Left, top, width and height in eighths of the cell.
const BLOCKS = { "▀": [0, 0, 8, 4], "▔": [0, 0, 8, 1], "▐": [4, 0, 4, 8], "▕": [7, 0, 1, 8] };
for (let eighths = 1; eighths <= 8; eighths++) {
  BLOCKS[String.fromCodePoint(0x2580 + eighths)] = [0, 8 - eighths, 8, eighths];
  BLOCKS[String.fromCodePoint(0x2590 - eighths)] = [0, 0, eighths, 8];
}
const SHADES = { "░": 0.25, "▒": 0.5, "▓": 0.75 };
// Upper left, upper right, lower left, lower right.
const QUADRANTS = ["▖2", "▗3", "▘0", "▙023", "▚03", "▛012", "▜013", "▝1", "▞12", "▟123"];
const DOTS = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [0, 3], [1, 3]];

// Corners of polygons, measured from the middle of the cell in halves of its width.
const POLYGONS = {
  "◆": [[0, -1.15], [1, 0], [0, 1.15], [-1, 0]], "♦": [[0, -1.1], [0.8, 0], [0, 1.1], [-0.8, 0]],
  "▸": [[-0.6, -0.9], [0.75, 0], [-0.6, 0.9]], "◂": [[0.6, -0.9], [-0.75, 0], [0.6, 0.9]],
  "▴": [[0, -0.75], [0.9, 0.6], [-0.9, 0.6]], "▾": [[0, 0.75], [0.9, -0.6], [-0.9, -0.6]],
  "▶": [[-0.8, -1], [1, 0], [-0.8, 1]], "◀": [[0.8, -1], [-1, 0], [0.8, 1]],
  "▲": [[0, -1], [1, 0.85], [-1, 0.85]], "▼": [[0, 1], [1, -0.85], [-1, -0.85]],
  "■": [[-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [-0.8, 0.8]],
};
const OUTLINES = {
  "◇": [[[0, -1.1], [0.9, 0], [0, 1.1], [-0.9, 0], [0, -1.1]]],
  "▵": [[[0, -0.75], [0.8, 0.6], [-0.8, 0.6], [0, -0.75]]],
  "✓": [[[-0.8, 0.1], [-0.2, 0.75], [0.8, -0.85]]],
  "✗": [[[-0.7, -0.8], [0.7, 0.8]], [[0.7, -0.8], [-0.7, 0.8]]],
};
// Radius, and whether only the ring is painted.
const DISCS = { "●": [0.85, false], "○": [0.75, true], "•": [0.45, false], "∙": [0.25, false] };
const SUITS = {
  "♥": "M0 1C-1 .2-1-.2-1-.45A.5.5 0 0 1 0-.5A.5.5 0 0 1 1-.45C1-.2 1 .2 0 1z",
  "♠": "M0-1.05C.9-.3 1 0 1 .3A.45.45 0 0 1 .2 .45L.35 1H-.35L-.2.45A.45.45 0 0 1-1 .3C-1 0-.9-.3 0-1.05z",
  "♣": "M-.35 1L-.12.42A.45.45 0 1 1-.45-.25A.45.45 0 1 1 .45-.25A.45.45 0 1 1 .12.42L.35 1z",
  "☾": "M.45-1A1 1 0 1 0 .45 1A1.15 1.15 0 0 1 .45-1z",
  "☼": "M.5 0A.5.5 0 1 1-.5 0A.5.5 0 1 1 .5 0zM-.1-1H.1V-.65H-.1zM-.1.65H.1V1H-.1zM-1-.1H-.65V.1H-1zM.65-.1H1V.1H.65z" +
    "M-.78-.64L-.64-.78L-.4-.54L-.54-.4zM.54.4L.4.54L.64.78L.78.64zM.64-.78L.78-.64L.54-.4L.4-.54zM-.64.78L-.78.64L-.54.4L-.4.54z",
};

// Returns the painter of a character, or undefined if a font has to paint it.
// A painter is called with the 2D context, whose fillStyle is the color of the text, the cell's rectangle, and the width
// of lines, which is the same in all cells, although some of them are a pixel wider.
export function painterOf(character) {
  return PAINTERS.get(character) ?? brailleOf(character);
}

const PAINTERS = new Map();

function add(table, paint) {
  for (const [character, shape] of Object.entries(table)) {
    PAINTERS.set(character, (context, ...cell) => paint(context, shape, ...cell));
  }
}

add(BLOCKS, (context, [left, top, width, height], x, y, wide, high) => {
  const [x0, y0] = [Math.round((wide * left) / 8), Math.round((high * top) / 8)];
  const [x1, y1] = [Math.round((wide * (left + width)) / 8), Math.round((high * (top + height)) / 8)];
  context.fillRect(x + x0, y + y0, x1 - x0, y1 - y0);
});

add(SHADES, (context, share, x, y, wide, high) => {
  context.globalAlpha = share;
  context.fillRect(x, y, wide, high);
  context.globalAlpha = 1;
});

for (const [character, ...parts] of QUADRANTS) {
  PAINTERS.set(character, (context, x, y, wide, high) => {
    const [middle, half] = [Math.round(wide / 2), Math.round(high / 2)];
    for (const part of parts.map(Number)) {
      const [right, low] = [part % 2, part >> 1];
      context.fillRect(
        x + (right ? middle : 0), y + (low ? half : 0), right ? wide - middle : middle, low ? high - half : half,
      );
    }
  });
}

add(LINES, (context, arms, x, y, wide, high, stroke) => {
  const [left, top] = [Math.floor((wide - stroke) / 2), Math.floor((high - stroke) / 2)];
  if (arms & UP) context.fillRect(x + left, y, stroke, top + stroke);
  if (arms & DOWN) context.fillRect(x + left, y + top, stroke, high - top);
  if (arms & LEFT) context.fillRect(x, y + top, left + stroke, stroke);
  if (arms & RIGHT) context.fillRect(x + left, y + top, wide - left, stroke);
});

add(CORNERS, (context, [right, down], x, y, wide, high, stroke) => {
  const [middle, half] = [
    x + Math.floor((wide - stroke) / 2) + stroke / 2, y + Math.floor((high - stroke) / 2) + stroke / 2,
  ];
  const radius = wide / 2;
  context.beginPath();
  context.moveTo(middle, down > 0 ? y + high : y);
  context.lineTo(middle, half + down * radius);
  context.quadraticCurveTo(middle, half, middle + right * radius, half);
  context.lineTo(right > 0 ? x + wide : x, half);
  outline(context, stroke);
});

add(POLYGONS, (context, corners, x, y, wide, high) => {
  trace(context, [corners], x, y, wide, high);
  context.fill();
});

add(OUTLINES, (context, paths, x, y, wide, high) => {
  trace(context, paths, x, y, wide, high);
  outline(context, Math.max(1, wide / 6));
});

add(DISCS, (context, [radius, ring], x, y, wide, high) => {
  context.beginPath();
  context.arc(x + wide / 2, y + high / 2, (radius * wide) / 2, 0, 2 * Math.PI);
  if (ring) outline(context, Math.max(1, wide / 8));
  else context.fill();
});

add(SUITS, (context, path, x, y, wide, high) => {
  context.save();
  context.translate(x + wide / 2, y + high / 2);
  context.scale(wide / 2, wide / 2);
  context.fill(new Path2D(path));
  context.restore();
});

function trace(context, paths, x, y, wide, high) {
  context.beginPath();
  for (const path of paths) {
    path.forEach(([right, down], number) => {
      const corner = [x + (wide * (1 + right)) / 2, y + high / 2 + (wide * down) / 2];
      if (number) context.lineTo(...corner);
      else context.moveTo(...corner);
    });
  }
}

function outline(context, width) {
  context.strokeStyle = context.fillStyle;
  context.lineWidth = width;
  context.stroke();
}

function brailleOf(character) {
  const bits = character.codePointAt(0) - 0x2800;
  if (bits < 0 || bits > 0xff) return undefined;
  return (context, x, y, wide, high) => {
    const dot = Math.max(1, Math.round(wide / 4));
    DOTS.forEach(([column, row], bit) => {
      if (!((bits >> bit) & 1)) return;
      context.fillRect(
        x + Math.round((wide * (1 + 2 * column)) / 4 - dot / 2), y + Math.round((high * (1 + 2 * row)) / 8 - dot / 2), dot, dot,
      );
    });
  };
}
