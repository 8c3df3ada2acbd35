"""The page that `dvc plots show` fills, with Vega inside: DVC's own loads it from the network."""

from __future__ import annotations

from pathlib import Path

from ecqg import templates
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


def write_plots_page(dvc: Path) -> Path:
    """Write the page into the folder of DVC (.dvc), whose local settings then name it.

    Raises InputError where there is no such folder.
    """
    import vl_convert
    from dvc.config import Config

    if not (dvc / "config").is_file():
        raise InputError("no repository of DVC", file=dvc, remedy="run from the repository's root")
    page = dvc / "plots" / "page.html"
    vega = vl_convert.javascript_bundle(EMBED, VEGA_LITE)
    write_text(page, templates.fill(__file__, str, vega=vega))
    with Config(str(dvc.resolve())).edit("local") as settings:
        settings.setdefault("plots", {})["html_template"] = page.relative_to(dvc).as_posix()
    return page
