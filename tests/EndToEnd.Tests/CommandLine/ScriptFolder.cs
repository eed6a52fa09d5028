using ApexShop.TestKit;

namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>The functions of ./apexshop with an empty state folder, which has a space in its name.</summary>
internal sealed class ScriptFolder : IDisposable
{
    private readonly DirectoryInfo state = Directory.CreateTempSubdirectory("apexshop functions ");

    public void Dispose() => state.Delete(recursive: true);

    /// <summary>Runs statements of bash; $STATE is the folder.</summary>
    public Task<ProgramRun> RunAsync(string statements) => ProgramRun.OfAsync(ProgramRun.StartOf("bash", [
        "-c",
        """
        set -euo pipefail
        ROOT=$0
        for part in "$ROOT"/eng/cli/*.sh; do source "$part"; done
        STATE=$1
        load_verbs

        """ + statements,
        Repository.Root, state.FullName,
    ]));
}
