"""The explorer: a local web page to build, solve and study.

server            listen on the loopback interface, make a token, open the browser
app               the ASGI application: the page, static files and JSON endpoints
auth              admit only a browser of this machine that has the token
routes            every route and its handler
handler           what a handler gets: the explorer and the request
requests          request types, and how JSON becomes one of them
events            the stream of server-sent events
handlers          the routes of runs, games and figures
holdem            the routes that only hold'em has
workspace         the folder of the explorer: runs, spots, ranges and reports
run_manager       all runs: start, queue, pause, stop, resume and delete them
run_task          one run as a background task: live or on disk
pending_runs      requests of runs that are not saved yet
game_cache        the games that a page may name, each built once
request_tickets   cancel a long request when a newer one of its kind arrives
file_access       reject names in requests that would make the server read a file
static            the page: ES modules without a build step
"""
