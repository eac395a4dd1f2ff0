// Before the first paint, so that nothing flashes: the theme and the developer mode that were chosen here.
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  if (localStorage.getItem('developer') === 'on') document.documentElement.dataset.developer = 'on';
} catch {
  /* storage is switched off: the system's theme it is */
}
