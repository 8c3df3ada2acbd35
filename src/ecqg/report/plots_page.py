"""The page that `dvc plots show` fills, with Vega inside: DVC's own loads it from the network."""

from __future__ import annotations

from pathlib import Path

from ecqg.errors import InputError
from ecqg.files import write_text

VEGA_LITE = "5.21"  # the newest that reads the templates' schema, version 5
# What DVC calls. It gives an empty plot where a table has no rows: that takes no room. The menu's
# editor would be a page of another site. An error is shown, not a blank.
EMBED = """window.vegaEmbed = (place, spec) => {
  const panel = document.querySelector(place);
  if (!spec.$schema) return panel.remove();
  const actions = {export: true, source: false, compiled: false, editor: false};
  return vegaEmbed(panel, spec, {actions}).catch((error) => { panel.textContent = error; });
};"""
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
{refresh_tag}
<title>ecqg: plots</title>
<style>
body { font-family: sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em; }
body > div { margin-bottom: 2.5em; }
img { max-width: 100%; }
</style>
<script>(() => {
VEGA
})();</script>
</head>
<body>
{plot_divs}
</body>
</html>
"""


def write_plots_page(dvc: Path) -> Path:
    """Write the page into the folder of DVC (.dvc), whose local settings then name it.

    Raises InputError where there is no such folder.
    """
    import vl_convert
    from dvc.config import Config

    if not (dvc / "config").is_file():
        raise InputError("no repository of DVC", file=dvc, remedy="run from the repository's root")
    page = dvc / "plots" / "page.html"
    write_text(page, PAGE.replace("VEGA", vl_convert.javascript_bundle(EMBED, VEGA_LITE)))
    with Config(str(dvc.resolve())).edit("local") as settings:
        settings.setdefault("plots", {})["html_template"] = page.relative_to(dvc).as_posix()
    return page
