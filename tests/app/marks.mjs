// Counts and locates the marks of a trend's plot. All marks of one look are one path, so its outlines are counted.

/// Returns the number of marks of a look, such as `.bound`, or of all marks. A mark far outside has two outlines.
export async function countMarks(page, look = '') {
  const counts = await page
    .locator(`.plot path.mark${look}:not(.chosen)`)
    .evaluateAll((paths) =>
      paths.map((path) => (path.getAttribute('d').split('M').length - 1) / (path.matches('.far') ? 2 : 1)),
    );
  return counts.reduce((sum, count) => sum + count, 0);
}

/// Returns the horizontal positions of the results of the first series on the screen, in pixels, in ascending order.
export const placesOfResults = (page) =>
  page
    .locator('.plot .line')
    .first()
    .evaluate((path) => {
      const screen = path.getScreenCTM();
      return [...path.getAttribute('d').matchAll(/[ML](\S+) /g)].map(([, x]) => Number(x) * screen.a + screen.e);
    });
