using System.Globalization;
using System.IO.Compression;
using System.Text;
using ApexShop.EndToEnd.Tests.CommandLine;

namespace ApexShop.EndToEnd.Tests.Erasing;

/// <summary>Searches what ./apexshop stores and serves for canaries; each search returns those it finds.</summary>
internal sealed class CanarySearch(StartedShop shop, string folder)
{
    /// <summary>
    /// Every byte of every file in a folder of the shop, without the programs. PostgreSQL has no changed page in memory
    /// only.
    /// </summary>
    public async Task<HashSet<string>> FilesAsync(string path = "", string except = "none")
    {
        await shop.ScalarAsync<int>("CHECKPOINT; SELECT 1");
        return Files(Path.Combine(shop.State.FullName, path), "app", except);
    }

    /// <summary>
    /// The whole log, documents as streams and pages, what waits for an operator, and one user's export.
    /// </summary>
    public async Task<HashSet<string>> ResponsesAsync(int user)
    {
        var found = new HashSet<string>();
        foreach (var path in (string[])["events", "admin/parked", "admin/dead-letters"])
            await ReadAsync(shop.Commands, path, found);
        foreach (var resource in (string[])["users", "orders", "reviews", "products"])
        {
            await ReadAsync(shop.Queries, $"{resource}/stream", found);
            for (var page = 1; page <= 3; page++)
            {
                await ReadAsync(
                    shop.Queries, string.Create(CultureInfo.InvariantCulture, $"{resource}?page={page}&pageSize=100"),
                    found);
            }
        }

        await ReadAsync(shop.Queries, $"users/{user}/export", found);
        return found;
    }

    /// <summary>All keys and values of Redis.</summary>
    public async Task<HashSet<string>> RedisAsync() => In(Encoding.Latin1.GetBytes(await shop.Redis.ContentAsync()));

    /// <summary>A new archive of the log.</summary>
    public async Task<HashSet<string>> ArchiveAsync(string name)
    {
        var archive = Path.Combine(folder, name);
        await shop.VerbAsync("events", "archive", archive);
        var found = new HashSet<string>();
        foreach (var file in Directory.GetFiles(archive, "*.gz"))
        {
            using var bytes = new MemoryStream();
            await using var events = new GZipStream(File.OpenRead(file), CompressionMode.Decompress);
            await events.CopyToAsync(bytes);
            found.UnionWith(In(bytes.ToArray()));
        }

        return found;
    }

    /// <summary>The statements that restore a new backup of the tables.</summary>
    public async Task<HashSet<string>> BackupAsync(string name)
    {
        var file = Path.Combine(folder, name);
        await shop.VerbAsync("backup", file);
        return In(Encoding.UTF8.GetBytes(await shop.FunctionsAsync("find_postgres\npostgres_script <\"$1\"", file)));
    }

    /// <summary>The files of a new backup of the server, and all changes that are archived.</summary>
    public async Task<HashSet<string>> ServerBackupAsync()
    {
        await shop.VerbAsync("backup");
        var restored = Directory.CreateDirectory(Path.Combine(shop.State.FullName, "restored"));
        const string restore = """
            find_postgres
            choose_archive
            ((EUID != 0)) || chown postgres "$1"
            write_archive_settings restore.conf
            archive_tool restore.conf restore --pg1-path="$1" >/dev/null
            find "$REPOSITORY/archive/shop" -type f -printf '%f\n' | sed -En 's/^([0-9A-F]{24})-.*/\1/p' |
              while read -r name; do archive_tool restore.conf archive-get "$name" "$1/archived-$name"; done
            """;
        await shop.FunctionsAsync(restore, restored.FullName);
        restored.GetFiles("archived-*").ShouldNotBeEmpty();
        var found = Files(restored.FullName);
        restored.Delete(recursive: true);
        return found;
    }

    private static async Task ReadAsync(HttpClient api, string path, HashSet<string> found)
    {
        using var response = await api.GetAsync($"/{path}");
        var bytes = await response.Content.ReadAsByteArrayAsync();
        response.IsSuccessStatusCode.ShouldBeTrue($"{path}: {response.StatusCode}");
        found.UnionWith(In(bytes));
    }

    private static HashSet<string> In(byte[] bytes)
    {
        var found = new HashSet<string>();
        Canary.AddTo(found, bytes);
        return found;
    }

    private static HashSet<string> Files(string path, params string[] except)
    {
        var found = new HashSet<string>();
        foreach (var file in Directory.GetFiles(path)) Add(file);
        foreach (var inner in Directory.GetDirectories(path).Where(inner => !except.Contains(Path.GetFileName(inner))))
            found.UnionWith(Files(inner, except));
        return found;

        void Add(string file)
        {
            try
            {
                Canary.AddTo(found, File.ReadAllBytes(file));
            }
            catch (Exception gone) when (gone is FileNotFoundException or DirectoryNotFoundException)
            {
                // A server has removed it meanwhile, so it stores nothing.
            }
        }
    }
}
