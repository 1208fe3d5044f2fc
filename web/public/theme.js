// Runs before the first paint, so that a chosen theme does not flash up as the other one.
try {
  const theme = localStorage.getItem("tributary.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  const density = localStorage.getItem("tributary.density");
  if (density === "compact") document.documentElement.dataset.density = density;
} catch {
  // Storage may be forbidden; then the theme of the system holds.
}
