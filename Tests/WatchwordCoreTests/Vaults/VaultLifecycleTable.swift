/// What each event comes to in each state.
///
/// A section begins with the name of its state and what the machine says of it: the state of the vault, what
/// is under way, and after `+` who waits. Then come the events with their answer or effects, and after `->`
/// what the machine says then. An event that is not in the section means nothing there. `+1` stands for a
/// change that waits, `+uses` for counts of uses alone, `+key` for a vault that only a passphrase opens.
enum VaultLifecycleTable {
  static let text = """
    # new: none
    prepare, make: waits open(made) -> none opening +opening
    read: ready
    opened found: hold note -> open
    opened nothing: drop note
    opened held: report(held) note -> unavailable
    opened locked: report(the vault is locked) note -> locked
    opened postponed: note -> forgotten
    opened damaged: report(damaged) note -> unavailable
    schedule, lookAgain+1: schedule -> none scheduled
    forget, forget+1, forget+key: takeLater answer(wiping) lookAgain
    close: note -> none closed
    close+1: note fail(no vault is open) lookAgain -> none closed
    awaitRelease: -> none +release

    # looking: forgotten opening +reading
    prepare: waits -> forgotten opening +opening +reading
    make: refused(there is a vault already)
    read: waits
    opened found: hold answer(reading) note -> open
    opened nothing: drop answer(reading) note -> none
    opened held: report(held) retry -> unavailable +reading
    opened locked: report(the vault is locked) answer(reading) note -> locked
    opened postponed: answer(reading) note -> forgotten
    opened damaged: report(damaged) answer(reading) note -> unavailable
    forget, forget+1, forget+key: -> forgotten opening +reading +wiping
    close, close+1: note -> forgotten opening closed +reading
    awaitRelease: -> forgotten opening +reading +release

    # making: none opening +opening
    prepare: waits
    make: refused(there is a vault already)
    read: ready
    opened found: hold answer(opening) note -> open
    opened nothing: drop open(made)
    opened held: report(held) retry -> unavailable +opening
    opened locked: report(the vault is locked) answer(opening, the vault is locked) note -> locked
    opened postponed: answer(opening, the daemon is stopping) note -> forgotten
    opened damaged: report(damaged) answer(opening, damaged) note -> unavailable
    forget, forget+1, forget+key: -> none opening +opening +wiping
    close, close+1: note -> none opening closed +opening
    awaitRelease: -> none opening +opening +release

    # waiting for the other daemon: unavailable +opening
    prepare: waits open(made) -> unavailable opening +opening
    make: refused(held)
    read: waits open -> unavailable opening +opening +reading
    openAgain: open -> unavailable opening +opening
    opened found: hold answer(opening) note -> open
    opened nothing: drop open(made) -> none opening +opening
    opened held: retry -> unavailable +opening
    opened locked: report(the vault is locked) answer(opening, the vault is locked) note -> locked
    opened postponed: answer(opening, the daemon is stopping) note -> forgotten
    opened damaged: report(damaged) answer(opening, damaged) note -> unavailable
    retried, lookAgain, lookAgain+1: open(made) -> unavailable opening +opening
    schedule: schedule -> unavailable scheduled +opening
    forget, forget+1, forget+key: takeLater answer(wiping) lookAgain
    close: note -> unavailable closed +opening
    close+1: note fail(held) lookAgain -> unavailable closed +opening
    awaitRelease: -> unavailable +opening +release

    # locked: locked
    prepare, make: refused(the vault is locked)
    read: ready
    opened found: hold note -> open
    opened nothing: drop note -> none
    opened held: report(held) note -> unavailable
    opened locked: report(the vault is locked) note
    opened postponed: note -> forgotten
    opened damaged: report(damaged) note -> unavailable
    schedule, lookAgain+1: schedule -> locked scheduled
    forget, forget+1, forget+key: takeLater answer(wiping) lookAgain
    close: note -> locked closed
    close+1: note fail(the vault is locked) lookAgain -> locked closed
    awaitRelease: -> locked +release

    # damaged: unavailable
    prepare: waits open(made) -> unavailable opening +opening
    make: refused(damaged)
    read: waits open -> unavailable opening +reading
    trySoon: -> unavailable
    opened found: hold note -> open
    opened nothing: drop note -> none
    opened held: report(held) note -> unavailable
    opened locked: report(the vault is locked) note -> locked
    opened postponed: note -> forgotten
    opened damaged: note -> unavailable
    schedule, lookAgain+1: schedule -> unavailable scheduled
    forget, forget+1, forget+key: takeLater answer(wiping) lookAgain
    close: note -> unavailable closed
    close+1: note fail(damaged) lookAgain -> unavailable closed
    awaitRelease: -> unavailable +release

    # open: open
    prepare, read: ready
    make: refused(there is a vault already)
    schedule, lookAgain+1: schedule -> open scheduled
    forget: fail(the vault was wiped) wipe -> forgotten wiping +wiping
    forget+1: schedule -> open scheduled +wiping
    forget+key: fail(the vault was wiped) wipe -> locked wiping +wiping
    close: note leave -> none leaving closed
    close+1: note write lookAgain -> open planning closed
    awaitRelease: -> open +release

    # scheduled: open scheduled
    prepare, read: ready
    make: refused(there is a vault already)
    turnEnded: -> open
    turnEnded+1: write lookAgain -> open planning
    forget: fail(the vault was wiped) wipe -> forgotten wiping scheduled +wiping
    forget+1: -> open scheduled +wiping
    forget+key: fail(the vault was wiped) wipe -> locked wiping scheduled +wiping
    close: note leave -> none leaving scheduled closed
    close+1: note write lookAgain -> open planning scheduled closed
    awaitRelease: -> open scheduled +release

    # planning: open planning
    prepare, read: ready
    make: refused(there is a vault already)
    planned nothing: -> open telling
    planned: -> open writing
    forget, forget+1, forget+key: -> open planning +wiping
    close, close+1: note -> open planning closed
    awaitRelease: -> open planning +release

    # writing: open writing
    prepare, read: ready
    make: refused(there is a vault already)
    wrote, wrote full: -> open telling
    wrote damaged: abandon -> unavailable telling
    forget, forget+1, forget+key: -> open writing +wiping
    close, close+1: note -> open writing closed
    awaitRelease: -> open writing +release

    # telling: open telling
    prepare, read: ready
    make: refused(there is a vault already)
    goOn, goOn+1, goOn+uses: follow -> open following
    forget, forget+1, forget+key: -> open telling +wiping
    close, close+1: note -> open telling closed
    awaitRelease: -> open telling +release

    # telling of damage: unavailable telling
    prepare: waits -> unavailable telling +opening
    make: refused(damaged)
    read: waits -> unavailable telling +reading
    opened found: hold note -> open telling
    opened nothing: drop note -> none telling
    opened held: report(held) note -> unavailable telling
    opened locked: report(the vault is locked) note -> locked telling
    opened postponed: note -> forgotten telling
    opened damaged: note -> unavailable telling
    goOn, goOn+1, goOn+uses: follow -> unavailable following
    forget, forget+1, forget+key: -> unavailable telling +wiping
    close, close+1: note -> unavailable telling closed
    awaitRelease: -> unavailable telling +release

    # following: open following
    prepare, read: ready
    make: refused(there is a vault already)
    followed: -> open
    followed+1: schedule -> open scheduled
    forget: fail(the vault was wiped) wipe -> forgotten wiping following +wiping
    forget+1: -> open following +wiping
    forget+key: fail(the vault was wiped) wipe -> locked wiping following +wiping
    close: note leave -> none leaving following closed
    close+1: note -> open following closed
    awaitRelease: -> open following +release

    # to be wiped, writing: open writing last +wiping
    prepare, read: ready
    make: refused(there is a vault already)
    wrote, wrote full: -> open telling last +wiping
    wrote damaged: abandon -> unavailable telling last +wiping
    close, close+1: note -> open writing last closed +wiping
    awaitRelease: -> open writing last +release +wiping

    # to be wiped, telling: open telling last +wiping
    prepare, read: ready
    make: refused(there is a vault already)
    goOn, goOn+uses: follow fail(the vault was wiped) wipe -> forgotten wiping following +wiping
    goOn+1: follow -> open following last +wiping
    close, close+1: note -> open telling last closed +wiping
    awaitRelease: -> open telling last +release +wiping

    # wiping: forgotten wiping +wiping
    prepare: waits -> forgotten wiping +opening +wiping
    make: refused(there is a vault already)
    read: waits -> forgotten wiping +reading +wiping
    opened found: hold note -> open wiping +wiping
    opened nothing: drop note -> none wiping +wiping
    opened held: report(held) note -> unavailable wiping +wiping
    opened locked: report(the vault is locked) note -> locked wiping +wiping
    opened postponed: note
    opened damaged: report(damaged) note -> unavailable wiping +wiping
    wiped: takeLater note answer(wiping) lookAgain -> forgotten
    close, close+1: note -> forgotten wiping closed +wiping
    awaitRelease: -> forgotten wiping +release +wiping

    # locking: locked wiping +wiping
    prepare, make: refused(the vault is locked)
    read: ready
    opened found: hold note -> open wiping +wiping
    opened nothing: drop note -> none wiping +wiping
    opened held: report(held) note -> unavailable wiping +wiping
    opened locked: report(the vault is locked) note
    opened postponed: note -> forgotten wiping +wiping
    opened damaged: report(damaged) note -> unavailable wiping +wiping
    wiped: takeLater note answer(wiping) lookAgain -> locked
    close, close+1: note -> locked wiping closed +wiping
    awaitRelease: -> locked wiping +release +wiping

    # forgotten: forgotten
    prepare, make: waits open(made) -> forgotten opening +opening
    read: waits open -> forgotten opening +reading
    opened found: hold note -> open
    opened nothing: drop note -> none
    opened held: report(held) note -> unavailable
    opened locked: report(the vault is locked) note -> locked
    opened postponed: note
    opened damaged: report(damaged) note -> unavailable
    schedule, lookAgain+1: schedule -> forgotten scheduled
    forget, forget+1, forget+key: takeLater answer(wiping) lookAgain
    close: note -> forgotten closed
    close+1: note fail(no vault is open) lookAgain -> forgotten closed
    awaitRelease: -> forgotten +release

    # wanted: forgotten +opening
    prepare, make: waits open(made) -> forgotten opening +opening
    read: waits open -> forgotten opening +opening +reading
    opened found: hold answer(opening) note -> open
    opened nothing: drop open(made) -> none opening +opening
    opened held: report(held) retry -> unavailable +opening
    opened locked: report(the vault is locked) answer(opening, the vault is locked) note -> locked
    opened postponed: answer(opening, the daemon is stopping) note -> forgotten
    opened damaged: report(damaged) answer(opening, damaged) note -> unavailable
    retried, lookAgain, lookAgain+1: open(made) -> forgotten opening +opening
    schedule: schedule -> forgotten scheduled +opening
    forget, forget+1, forget+key: takeLater answer(wiping) lookAgain
    close: note -> forgotten closed +opening
    close+1: note fail(no vault is open) lookAgain -> forgotten closed +opening
    awaitRelease: -> forgotten +opening +release

    # closed while it waits: unavailable closed +opening
    prepare, make: refused(the daemon is stopping)
    read: ready
    opened found: hold(withoutFile) answer(opening, the daemon is stopping) note -> none closed
    opened nothing: drop answer(opening, the daemon is stopping) note -> none closed
    opened held: answer(opening, held) note -> unavailable closed
    opened locked: report(the vault is locked) answer(opening, the vault is locked) note -> locked closed
    opened postponed: answer(opening, the daemon is stopping) note -> forgotten closed
    opened damaged: report(damaged) answer(opening, damaged) note -> unavailable closed
    retried: answer(opening, the vault is locked) -> unavailable closed
    schedule: schedule -> unavailable scheduled closed +opening
    lookAgain: answer(opening, the daemon is stopping) -> unavailable closed
    lookAgain+1: answer(opening, the daemon is stopping) fail(held) lookAgain -> unavailable closed
    forget, forget+1, forget+key: takeLater answer(wiping) lookAgain
    close: note
    close+1: note fail(held) lookAgain
    awaitRelease: answer(release)

    # making under lock: none opening underLock +opening
    prepare: refused(the vault is locked)
    make: refused(there is a vault already)
    read: ready
    opened found: hold answer(opening) note -> open underLock
    opened nothing: drop open(made)
    opened held: report(held) answer(opening, held) note -> unavailable underLock
    opened locked: report(the vault is locked) answer(opening, the vault is locked) note -> locked underLock
    opened postponed: answer(opening, the daemon is stopping) note -> forgotten underLock
    opened damaged: report(damaged) answer(opening, damaged) note -> unavailable underLock
    retried: answer(opening, the vault is locked) -> none opening underLock
    forget, forget+1, forget+key: -> none opening underLock +opening +wiping
    close, close+1: note -> none opening underLock closed +opening
    awaitRelease: -> none opening underLock +opening +release

    # forgotten under lock: forgotten underLock
    prepare: refused(the vault is locked)
    make: waits open(made) -> forgotten opening underLock +opening
    read: ready
    opened found: hold note -> open underLock
    opened nothing: drop note -> none underLock
    opened held: report(held) note -> unavailable underLock
    opened locked: report(the vault is locked) note -> locked underLock
    opened postponed: note
    opened damaged: report(damaged) note -> unavailable underLock
    schedule, lookAgain+1: schedule -> forgotten scheduled underLock
    forget, forget+1, forget+key: takeLater answer(wiping) lookAgain
    close: note -> forgotten underLock closed
    close+1: note fail(the vault is locked) lookAgain -> forgotten underLock closed
    awaitRelease: -> forgotten underLock +release

    # closing, writing: open writing closed
    prepare, make: refused(the daemon is stopping)
    read: ready
    wrote, wrote full: -> open telling closed
    wrote damaged: abandon -> unavailable telling closed
    forget, forget+1, forget+key: -> open writing closed +wiping
    close, close+1: note
    awaitRelease: -> open writing closed +release

    # closing, telling: open telling closed
    prepare, make: refused(the daemon is stopping)
    read: ready
    goOn: follow leave -> none leaving following closed
    goOn+1, goOn+uses: follow -> open following closed
    forget, forget+1, forget+key: -> open telling closed +wiping
    close, close+1: note
    awaitRelease: -> open telling closed +release

    # closing, following: open following closed
    prepare, make: refused(the daemon is stopping)
    read: ready
    lookAgain: leave -> none leaving following closed
    followed: leave -> none leaving closed
    followed+1: write lookAgain -> open planning closed
    forget: fail(the vault was wiped) wipe -> forgotten wiping following closed +wiping
    forget+1: -> open following closed +wiping
    forget+key: fail(the vault was wiped) wipe -> locked wiping following closed +wiping
    close: note leave -> none leaving following closed
    close+1: note
    awaitRelease: leave -> none leaving following closed +release

    # leaving: none leaving closed +release
    prepare, make: refused(the daemon is stopping)
    read: ready
    opened found: hold(withoutFile) note
    opened nothing: drop note
    opened held: report(held) note -> unavailable leaving closed +release
    opened locked: report(the vault is locked) note -> locked leaving closed +release
    opened postponed: note -> forgotten leaving closed +release
    opened damaged: report(damaged) note -> unavailable leaving closed +release
    forget, forget+1, forget+key: -> none leaving closed +release +wiping
    close, close+1: note
    left: answer(release) -> none closed

    # left: none closed
    prepare, make: refused(the daemon is stopping)
    read: ready
    opened found: hold(withoutFile) note
    opened nothing: drop note
    opened held: report(held) note -> unavailable closed
    opened locked: report(the vault is locked) note -> locked closed
    opened postponed: note -> forgotten closed
    opened damaged: report(damaged) note -> unavailable closed
    schedule: schedule -> none scheduled closed
    lookAgain+1: fail(no vault is open) lookAgain
    forget, forget+1, forget+key: takeLater answer(wiping) lookAgain
    close: note
    close+1: note fail(no vault is open) lookAgain
    awaitRelease: answer(release)
    """
}
