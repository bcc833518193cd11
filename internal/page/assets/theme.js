// Runs before the page is painted: the colours that the visitor chose.
{
  let theme = null;
  try { theme = localStorage.getItem('wgslab:theme'); } catch { /* a browser that keeps nothing */ }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}
