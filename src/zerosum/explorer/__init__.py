"""The explorer: a local web page to build, solve and study.

server          listen on the loopback interface, make a token, open the browser
app             the ASGI application: the page, static files and JSON endpoints
auth            admit only a browser of this machine that has the token
handler         what handlers work on, and the decorator that gives a handler its address
requests        read requests from JSON and from queries, and check them
events          the stream of progress to the page, as server-sent events
handlers        the endpoints of runs, games and figures
holdem          the endpoints that only hold'em has
workspace       the folder of the explorer: runs, spots, ranges and reports
run_manager     all runs: start, queue, pause, stop, resume and delete them
run_task        one run as a background task: live or on disk
training_store  trainings in the workspace, one file per run
game_cache      the games that a page may name, each built once
file_access     reject names in requests that would make the server read a file
static          the page: ES modules without a build step, a folder of `static/js` for each view
"""
