// Applies the visitor's choice of colours before the browser paints the page.
{
  let theme = null;
  try { theme = localStorage.getItem('wgslab:theme'); } catch { /* a browser that keeps nothing */ }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}
