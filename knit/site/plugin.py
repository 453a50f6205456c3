"""The MkDocs plugin: runs the scripts, has the pages checked before anything is built, and has them woven."""

from __future__ import annotations

import gc
import logging
import posixpath
from pathlib import Path
from typing import Literal, cast

from jinja2 import Environment
from mkdocs.config.config_options import ExtraScriptValue
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, ConfigurationError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as SitePage
from mkdocs.utils.templates import TemplateContext

from knit.check.course import look_ahead, once, problems, woven_pages
from knit.notebook.site import Notebooks
from knit.notebook.take import Downloads
from knit.problem import Problem
from knit.project import Course, Layout, Project
from knit.read.page import Page
from knit.report import folded
from knit.run.pool import Limits
from knit.site.asked import templates
from knit.site.config import KnitConfig
from knit.site.docstrings import know_aliases
from knit.site.finishing import Finishing
from knit.site.fonts import Fonts
from knit.site.incremental import Incremental
from knit.site.keep_offline import OFFLINE, keep_offline
from knit.site.keeping import KeepsPages
from knit.site.listings import add_scripts
from knit.site.meanwhile import Meanwhile
from knit.site.opened import Opened
from knit.site.sharing import Sharing
from knit.site.surroundings import digest
from knit.site.turns import Turn
from knit.site.watching import Watching
from knit.weave.extension import KnitExtension
from knit.weave.kept import digest_of_woven
from knit.weave.weaver import Woven, weave

ASSETS = Path(__file__).parent / "assets"
TEMPLATES = Path(__file__).parent / "templates"
SELDOM = (20_000, 10, 10)
"""When Python looks for garbage: a build makes many objects and few cycles, and looking would take a tenth of it."""

log = get_plugin_logger("knit")


class KnitPlugin(KeepsPages, BasePlugin[KnitConfig]):  # type: ignore[no-untyped-call]
    """Adapts knit to MkDocs: page paths, what to watch, and what to do about problems.

    A build stops before it writes anything; a served site shows each problem in its place and lives.
    """

    def __init__(self) -> None:
        self._serving = False
        self._dirty = False
        self._opened: Opened | None = None
        self._sources: dict[str, Page] = {}
        self._woven: dict[str, Woven] = {}
        self._project: Project | None = None
        self._course: Course | None = None
        self._fonts: Fonts | None = None
        self._notebooks: Notebooks | None = None
        self._downloads = Downloads()
        self._sharing = Sharing()
        self._finishing: Finishing | None = None
        self._extension = KnitExtension()
        self._watching = Watching()
        self._told: set[Problem] = set()
        self._turn = Turn()

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Note whether this is a build or a preview."""
        self._serving, self._dirty = command == "serve", dirty
        gc.freeze()  # modules stay
        gc.set_threshold(*SELDOM)
        self._sharing = Sharing()  # MkDocs keeps a plugin for the next command of the same process

    @event_priority(100)  # before mkdocstrings reads its options
    def _docstrings(self, config: MkDocsConfig) -> None:
        know_aliases(config)

    def _configure(self, config: MkDocsConfig) -> MkDocsConfig:
        """Find the course and add the extension."""
        root = Path(config.config_file_path or "mkdocs.yml").parent.resolve()
        if not Path(config.docs_dir).resolve().is_relative_to(root):
            raise ConfigurationError(f"docs_dir is {config.docs_dir}: the pages are inside the course's folder")
        layout = Layout(
            root,
            docs=Path(config.docs_dir).resolve().relative_to(root),
            snippets=Path(self.config.snippets),
            cache=Path(self.config.cache),
            languages=tuple(self.config.languages),
            ledger=self.config.ledger,
        )
        given = self.config.limits
        try:
            limits = Limits(given.seconds, given.memory << 20, given.output << 10)
        except ValueError as error:
            raise ConfigurationError(str(error)) from None
        if self._project is None or self._project.layout != layout:
            self._project = Project(layout, limits, Meanwhile() if "zh" in layout.languages else None)
        self._extension.setConfig("languages", list(layout.languages))
        # MkDocs passes the list on as it is; an extension object needs no name.
        config.markdown_extensions.append(self._extension)  # type: ignore[arg-type]
        # Code has classes, which the theme's stylesheet colours: without a style, none is looked through at each block.
        config.mdx_configs.setdefault("pymdownx.highlight", {}).setdefault("pygments_style", ())
        config.extra_css.extend(f"assets/knit/{path.name}" for path in sorted(ASSETS.glob("*.css")))
        # A preview is not kept: what it shows changes.
        kept = [] if self._serving else [OFFLINE / "offline.js"]
        for path in [*sorted(ASSETS.glob("*.js")), *kept]:
            script = ExtraScriptValue(f"assets/knit/{path.name}")
            script.type = "module"
            config.extra_javascript.append(script)
        config.theme.dirs.append(str(TEMPLATES))
        config.watch.append(str(root / layout.snippets))
        return config

    on_config = CombinedEvent(_docstrings, _configure)

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Run what changed and check every page, before the old site is touched."""
        assert self._project is not None  # noqa: S101 - on_config comes first
        layout = self._project.layout
        self._fonts = self._fonts or Fonts()
        self._course = self._project.course(ahead=True)
        self._told = set()
        self._sources = {page.path: page for page in self._course.pages}
        if running := self._project.running:
            look_ahead(self._course, running)
        self._woven = woven_pages(self._course)
        found = problems(self._course, self._woven, published=not self._serving)
        self._watching.add(self._course)
        self._tell([*found, *templates(self._course, config.theme.dirs)])
        self._incremental = None
        if self.config.incremental and not self._dirty:
            self._opened = self._opened or Opened()
            self._incremental = Incremental(config, layout.root, layout.root / layout.cache, self._opened)
        if not self._serving:  # a preview writes to a folder of its own, and runs scripts again
            self._turn.take(layout.root / layout.cache, log.info)
            self._project.close()

    @event_priority(-50)  # after mkdocs-jupyter, which mistakes generated files; before the languages are paired
    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add the styles of figures, formulas and badges, the scripts of pieces, and the formulas' font."""
        assert self._project is not None  # noqa: S101 - on_config comes first
        layout = self._project.layout
        assert self._fonts is not None  # noqa: S101 - on_pre_build comes first
        self._fonts.add(config, files)
        for path in [*sorted(ASSETS.iterdir()), OFFLINE / "offline.js"]:
            files.append(File.generated(config, f"assets/knit/{path.name}", abs_src_path=str(path)))
        assert self._course is not None  # noqa: S101 - on_pre_build comes first
        add_scripts(self._course, files, config, serving=self._serving)
        self._notebooks = Notebooks(self._course, layout.root / layout.cache / "notebooks")
        self._notebooks.add(files, config)
        self._downloads.add(self._course, self._woven, files, config)
        if not self._serving:
            self._sharing.add(self._course, files, config, layout.root / layout.cache / "pictures")
        self._course.kept.save()
        return files

    @event_priority(-100)  # after mkdocs-jupyter has replaced the rendering of its pages
    def on_pre_page(self, page: SitePage, *, config: MkDocsConfig, files: Files) -> SitePage:
        """Put the page back, if nothing that it depends on changed."""
        del config
        if self._incremental is not None and self._incremental.before(page, files, self._woven_into(page)):
            self._woven.pop(self._path(page), None)
        return page

    def _woven_into(self, page: SitePage) -> str:
        """Give the digest of what is woven into a page."""
        assert self._notebooks is not None  # noqa: S101 - on_files comes first
        path = self._path(page)
        both = (self._woven.get(path), self._notebooks.woven(page))
        return digest(path, [digest_of_woven(each) for each in both if each], self._notebooks.meta(page))

    def on_page_markdown(self, markdown: str, *, page: SitePage, config: MkDocsConfig, files: Files) -> str:
        """Tell the extension which page comes next."""
        del files, config
        assert self._course is not None  # noqa: S101 - on_pre_build comes first
        course, layout, path = self._course, self._course.layout, self._path(page)
        language = layout.language_of(page.file.src_uri) or layout.languages[0]
        source = page.file.content_string
        front = source[: len(source) - len(markdown)] if source.endswith(markdown) else ""
        checked, known = self._woven.pop(path, None), self._sources.get(path)

        def weave_this(text: str) -> tuple[Woven, str]:
            if checked and known and known.text == text:
                return checked, language
            woven = weave(Page(path, language, text, dict(page.meta), 1 + front.count("\n")), course)
            self._tell(once(woven.problems), late=True)
            return woven, language

        self._extension.weave = weave_this
        return markdown

    def on_page_content(self, html: str, *, page: SitePage, config: MkDocsConfig, files: Files) -> str:
        """Finish the pages that were rendered from notebooks, and keep the page."""
        del config
        assert self._notebooks is not None  # noqa: S101 - on_files comes first
        self._downloads.write(page.file.src_uri)
        if self._incremental is None:
            return self._notebooks.finish(html, page, files) + self._downloads.links(page, files)
        if self._incremental.is_kept(page):
            self._notebooks.put_back(page)
            return html
        files = self._incremental.files(files)
        html = self._notebooks.finish(html, page, files) + self._downloads.links(page, files)
        return self._incremental.after(page, html)

    @event_priority(-200)  # when every page has its content
    def on_env(self, env: Environment, *, config: MkDocsConfig, files: Files) -> Environment:
        """Have all that was made besides pages ready to be copied, and go on with the templates."""
        self._finishing = Finishing(Path(config.site_dir), serving=self._serving)
        self._downloads.finish()
        if self._dirty:  # copies what is newer than its copy; what was kept may be older, and another
            for file in files:
                if file.generated_by == "knit" and not file.is_documentation_page():
                    file.content_bytes = file.content_bytes
        return super().on_env(env, config=config, files=files)

    @event_priority(150)  # before pages are put back, which look at the whole context
    def _shared(
        self, context: TemplateContext, *, page: SitePage, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        """Give the page's templates what others show of it."""
        del config, nav
        return cast("TemplateContext", {**context, **self._sharing.of(page.file.src_uri)})

    @event_priority(-200)  # when the HTML is as others leave it
    def _finish(self, output: str, *, page: SitePage, config: MkDocsConfig) -> str:
        """Finish the page; in a process that only keeps it, have it not written."""
        del config
        assert self._finishing is not None  # noqa: S101 - on_env comes first
        if self._incremental is not None and self._incremental.apart:
            return ""
        return self._finishing.page(output, page.file.dest_uri)

    on_post_page = CombinedEvent(KeepsPages.on_post_page, _finish)

    on_page_context = CombinedEvent(_shared, *KeepsPages.on_page_context.methods)

    @event_priority(-200)  # when all is written
    def _finished(self, *, config: MkDocsConfig) -> None:
        """Finish what is no page, and have the site kept for reading offline."""
        assert self._finishing is not None  # noqa: S101 - on_env comes first
        self._finishing.rest()
        keep_offline(Path(config.site_dir), self.config.languages, serving=self._serving)

    on_post_build = CombinedEvent(KeepsPages.on_post_build, _finished)

    def on_serve(self, server: LiveReloadServer, *, config: MkDocsConfig, builder: object) -> LiveReloadServer:
        """Watch what the scripts import, besides the pages and the scripts, and look at all of it more often."""
        del builder
        self._watching.begin(server, config)
        if self._course is not None:
            self._watching.add(self._course)
        return server

    def _refused(self, *, error: Exception) -> None:
        """Tell in one line what the system refuses: a full disk, a folder that cannot be written, a file taken away."""
        if isinstance(error, OSError):
            raise Abort(f"knit: the build was broken off: {error}; mend that and build again") from error

    on_build_error = CombinedEvent(KeepsPages.on_build_error, _refused)

    def on_shutdown(self) -> None:
        """End the processes that run scripts, and let the next build write."""
        self._turn.leave()
        if self._project is not None:
            self._project.close()

    def _path(self, page: SitePage) -> str:
        """Give the path of a page from the project's root."""
        assert self._project is not None  # noqa: S101 - on_config comes first
        return posixpath.join(self._project.layout.docs.as_posix(), page.file.src_uri)

    def _tell(self, found: list[Problem], *, late: bool = False) -> None:
        """Log problems once; a build ends with them."""
        new = [problem for problem in found if problem not in self._told]
        self._told.update(new)
        for problem in folded(new):  # a page shows those that follow in their places
            log.log(logging.WARNING if self._serving else logging.ERROR, "%s", problem)
        if new and not self._serving:
            when = "after the check: was a file edited during the build?" if late else "nothing was built"
            raise Abort(f"knit: {len(new)} problem{'s' * (len(new) > 1)}; {when}")
