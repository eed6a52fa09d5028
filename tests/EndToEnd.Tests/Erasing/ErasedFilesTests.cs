using System.Globalization;
using System.Text;
using ApexShop.EndToEnd.Tests.CommandLine;
using ApexShop.Messaging;
using ApexShop.Resources;
using RabbitMQ.Client;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Erasing;

/// <summary>
/// Two hundred persons in a shop that ./apexshop started are erased with ./apexshop erase. No byte of its folders, no
/// response, and neither an archive nor a backup from after it has one of their values. The same searches find them
/// before; after it they find the name of a product.
/// </summary>
public sealed class ErasedFilesTests(StartedShop shop, ITestOutputHelper output)
    : IClassFixture<StartedShop>, IDisposable
{
    private const int Persons = 200;
    private const string Wal = "postgres/data/pg_wal";

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("apexshop erased ");
    private readonly string kept = Canary.New();

    public void Dispose() => folder.Delete(recursive: true);

    [Fact]
    public async Task No_byte_has_a_person_after_the_erasure()
    {
        var search = new CanarySearch(shop, folder.FullName);
        await shop.VerbAsync("stop", "projector");
        var people = await PeopleAsync();
        var ids = people.Select(person => person.Id).ToList();
        string[] all = [kept, .. people.SelectMany(person => person.All)];
        // The last command is acknowledged before its event is sent.
        await TestKit.Eventually.Holds(
            async () => (await search.FilesAsync("rabbitmq")).SetEquals(all), "messages wait in RabbitMQ");
        Report("written");
        string[] letters = [await PublishAsync($"\"users/{ids[0]}\""), await PublishAsync("\"subject\"")];
        await ExecuteAsync(
            "ALTER TABLE read.orders ADD CONSTRAINT poison CHECK (status <> 'Delivered' OR id % 21 > 0)");
        await shop.VerbAsync("start", "projector");
        var parked = await ParkedAsync();
        Report("projected");

        string[] stored = [.. all, .. letters];
        // As PostgreSQL does by itself after some time: it takes samples of values.
        await ExecuteAsync("ANALYZE");
        (await shop.ScalarAsync<long>(
            $"SELECT count(*) FROM pg_stats WHERE histogram_bounds::text LIKE '%{people[0].Current[0][..9]}%'"))
            .ShouldBePositive();
        // An index also has parts of texts, and in the WAL the header of a page may be within one.
        stored.Except(await search.FilesAsync("postgres/data", "pg_wal")).ShouldBeEmpty("the tables' files");
        stored.Except(await search.FilesAsync(Wal)).ShouldBeEmpty("the WAL");
        Same(await search.FilesAsync("rabbitmq"), stored, "RabbitMQ keeps consumed messages");
        var wal = WalFiles();
        Same(await search.ResponsesAsync(ids[0]), stored, "the responses");
        Same(await search.RedisAsync(), [kept, .. people.Select(person => person.FirstName)], "Redis");
        Same(await search.ArchiveAsync("archive before"), all, "the archive");
        Same(await search.BackupAsync("before.dump"), all, "the backup");
        Report("found everywhere");

        var snapshot = await shop.SnapshotAsync();
        (await RefusedAsync("erase", "--yes", parked)).ShouldContain("Remove the cause");
        await ExecuteAsync("ALTER TABLE read.orders DROP CONSTRAINT poison");
        var left = await RefusedAsync(["erase", "--yes", .. ids.Select(Text)]);
        left.ShouldContain(" has version 5, the last one of the event log; ");
        var letter = await shop.ScalarAsync<int>("SELECT id FROM read.dead_letters");
        left.ShouldContain($"Dead letter {letter} may have a person");
        await shop.VerbAsync("dlq", "discard", $"{letter}");
        Report("erased");
        await BrokerAsync("add_user stock a-password");
        await BrokerAsync("""-p apexshop set_policy consumers '^stock$' '{"max-length-bytes":1000000}'""");
        var files = shop.VerbAsync("erase", "--files", "--yes");
        await TestKit.Eventually.Holds(
            () => File.Exists(Path.Combine(shop.State.FullName, "log", "erase.log")), "the copies begin");
        // A copy that did not wait for it would have the old rows.
        await Task.Delay(TimeSpan.FromSeconds(2));
        files.IsCompleted.ShouldBeFalse();
        await snapshot.DisposeAsync();
        output.WriteLine(await files);
        Report("files");
        (await BrokerAsync("list_users")).ShouldContain("stock");
        (await BrokerAsync("-p apexshop list_policies")).ShouldContain("consumers");

        string[] rest = [kept];
        Same(await search.FilesAsync(), rest, "the files");
        WalFiles().Intersect(wal).ShouldBeEmpty("no file of the WAL is from before");
        Same(await search.ResponsesAsync(ids[0]), rest, "the responses");
        (await search.RedisAsync()).Except(rest).ShouldBeEmpty("Redis");
        Same(await search.ArchiveAsync("archive after"), rest, "the archive");
        Same(await search.BackupAsync("after.dump"), rest, "the backup");
        Same(await search.ServerBackupAsync(), rest, "the backup of the server");
        Report("archiving");
        output.WriteLine(await shop.VerbAsync("erase", "--files", "--yes"));
        Same(await search.FilesAsync(), rest, "the files at the end");
        (await shop.VerbAsync("audit")).ShouldContain("; differences: 0,");
        Report("found nowhere");
        var category = await shop.CreateAsync(Resource.Categories.Name, Bodies.Category("Later"));
        await TestKit.Eventually.Holds(() => shop.ServesAsync(Resource.Categories.Name, category), "the shop goes on");
    }

    private Task<string> BrokerAsync(string command) =>
        shop.FunctionsAsync($"find_rabbitmq\nrabbitmq_ctl {command}");

    private static void Same(HashSet<string> found, string[] expected, string place)
    {
        found.Except(expected).ShouldBeEmpty(place);
        expected.Except(found).ShouldBeEmpty(place);
    }

    private async Task<List<Person>> PeopleAsync()
    {
        var category = await shop.CreateAsync(Resource.Categories.Name, Bodies.Category("Lights"));
        var product = await shop.CreateAsync(
            Resource.Products.Name, Bodies.Product(category, kept, stock: 10 * Persons));
        var people = new List<Person>();
        await Parallel.ForAsync(0, Persons, new ParallelOptions { MaxDegreeOfParallelism = 4 }, async (_, _) =>
        {
            var person = await Person.OrderAsync(shop.Commands, product);
            lock (people) people.Add(person);
        });
        return people;
    }

    // A message that ends within an event.
    private async Task<string> PublishAsync(string subject)
    {
        var canary = Canary.New();
        await using var connection = await new ConnectionFactory { Uri = shop.Broker }.CreateConnectionAsync();
        await using var channel = await connection.CreateChannelAsync(
            new CreateChannelOptions(publisherConfirmationsEnabled: true, publisherConfirmationTrackingEnabled: true));
        var body = $"[{{\"subject\":{subject},\"data\":{{\"email\":\"{canary}@example.com\",\"fir";
        await channel.BasicPublishAsync(
            Topology.Exchange, Resource.Users.Name, mandatory: true, Encoding.UTF8.GetBytes(body));
        return canary;
    }

    // The customer of one of the parked orders, after all that can be applied is.
    private async Task<string> ParkedAsync()
    {
        await shop.FunctionsAsync("find_postgres\nawait_projection");
        await TestKit.Eventually.Holds(
            async () => await shop.ScalarAsync<long>("SELECT count(*) FROM read.dead_letters") == 2, "dead letters");
        var user = await shop.ScalarAsync<int>("""
            SELECT user_id FROM shop.orders WHERE id = (
                SELECT aggregate_id FROM read.parked_events WHERE resource = 'orders' LIMIT 1)
            """);
        return Text(user);
    }

    private List<string> WalFiles() =>
    [
        .. Directory.GetFiles(Path.Combine(shop.State.FullName, Wal)).Select(file => Path.GetFileName(file))
            .Where(name => name.Length == 24),
    ];

    private static string Text(int id) => id.ToString(CultureInfo.InvariantCulture);

    private Task<int> ExecuteAsync(string sql) => shop.ScalarAsync<int>($"{sql}; SELECT 1");

    private async Task<string> RefusedAsync(params string[] arguments)
    {
        var (exitCode, text) = await shop.TryAsync(arguments);
        exitCode.ShouldBe(1, text);
        return text;
    }

    private void Report(string what) =>
        output.WriteLine($"{TimeProvider.System.GetUtcNow():HH:mm:ss.f} {what}");
}
