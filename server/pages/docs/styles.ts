/** What only the documentation needs. */
export const DOCS_STYLES = `.method {
  display: inline-block;
  min-width: 3.5rem;
  padding: 0.1rem 0.5rem;
  border: 1px solid currentcolor;
  border-radius: 6px;
  font: 600 0.8rem/1.5 var(--mono);
  text-align: center;
  vertical-align: 0.1em;
}

.contents {
  margin-top: 2rem;
  font-size: 0.9rem;
}

.contents ul {
  margin: 0;
  padding: 0;
  list-style: none;
}

.contents ul ul {
  padding-left: 1rem;
}

.contents a {
  display: block;
  padding: 0.2rem 0;
  text-decoration: none;
}

.contents a:hover {
  text-decoration: underline;
}

@media (min-width: 64rem) {
  .docs {
    display: grid;
    grid-template: auto 1fr / 17rem minmax(0, 1fr);
    column-gap: 3rem;
  }

  .docs .contents {
    position: sticky;
    top: 1.5rem;
    grid-row: 1 / 3;
    align-self: start;
    max-height: calc(100vh - 3rem);
    margin: 0;
    overflow-y: auto;
  }

  .docs .intro {
    grid-column: 2;
  }

  .docs .text {
    grid-column: 2;
  }
}
`;
