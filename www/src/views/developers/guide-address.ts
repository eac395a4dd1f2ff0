//! The addresses of guides and of their sections.

/** Returns the address of a guide, or of one of its sections. */
export const guideUrl = (name: string, section?: string): string =>
  `/#/guides/${name}${section ? `/${encodeURIComponent(section)}` : ''}`;
