using System.Net;
using System.Text;
using System.Text.Json;
using ApexShop.Access;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Events;
using ApexShop.Operations;
using ApexShop.Resources;
using ApexShop.TestKit;
using ApexShop.TestKit.Packages;
using ApexShop.TestKit.Pages;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Operations.Checksums;

public sealed class ChecksumTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    // Characters that the two JSON writers escape differently.
    private const string Escaped = "\" \\ / \\u0041 \u00e9 \ue000\ufffd \U0001F6CB\U000F0000 <&'+`>";
    private const string Stored = Escaped + "\b\f\n\r\t \u0001\u001f\u007f\u0085 \u2028\u2029\ufeff";

    [Fact]
    public async Task The_checksum_of_every_row_equals_that_of_its_event_data_for_any_text()
    {
        var category = await MadeAsync("/categories", new { name = Escaped, description = Escaped });
        var product = await MadeAsync(
            "/products",
            new
            {
                name = Escaped,
                description = Escaped,
                price = 0.1m,
                stock = 3,
                categoryId = category,
                isActive = true,
            });
        var user = await MadeAsync(
            "/users",
            new
            {
                email = "\u00fc@example.com",
                firstName = Escaped,
                lastName = "\u00c9",
                password = "correct horse",
                phoneNumber = "+44 1",
            });
        var order = await app.OrderOfAsync(user, (product, 2), (await app.ProductAsync(price: 1234567.8m), 1));
        var review = await MadeAsync(
            "/reviews", new { productId = product, userId = user, rating = 4, comment = Escaped });

        (string, int)[] made =
        [
            (Resource.Categories.Name, category), (Resource.Products.Name, product), (Resource.Users.Name, user),
            (Resource.Orders.Name, order), (Resource.Reviews.Name, review),
        ];
        foreach (var (resource, id) in made)
        {
            var said = (await app.OutboxAsync(resource, id))[^1];
            var line = await AggregateAsync(resource, id);

            line.Version.ShouldBe(said.Version, resource);
            line.Checksum.ShouldBe(
                Convert.ToHexStringLower(StateChecksum.Of(Encoding.UTF8.GetBytes(said.Data))), resource);
            (line.IsWaiting, line.Position, line.LoggedVersion, line.IsDeleted)
                .ShouldBe((true, null, null, false), resource);
        }
    }

    [Fact]
    public async Task Characters_that_only_manual_SQL_can_write_give_the_same_checksum()
    {
        var id = await app.CategoryAsync();
        await using (
            var change = app.Superuser.CreateCommand(
                "UPDATE shop.categories SET name = $1, description = $1 WHERE id = $2"))
        {
            change.Parameters.Add(new NpgsqlParameter { Value = Stored });
            change.Parameters.Add(new NpgsqlParameter { Value = id });
            (await change.ExecuteNonQueryAsync()).ShouldBe(1);
        }

        var created = new DateTimeOffset(
            await app.ScalarAsync<DateTime>($"SELECT created_date FROM shop.categories WHERE id = {id}"));
        var json = JsonSerializer.SerializeToUtf8Bytes(
            new CategoryState(id, Stored, Stored, true, created, 1), EventJson.Wire.CategoryState);
        (await AggregateAsync(Resource.Categories.Name, id))
            .Checksum.ShouldBe(Convert.ToHexStringLower(StateChecksum.Of(json)));
    }

    [Fact]
    public async Task The_program_of_the_page_computes_the_same_checksums()
    {
        var (category, user) = (
            await MadeAsync("/categories", new { name = Escaped, description = "\U0001F6CB" }), await app.UserAsync());
        var order = await app.OrderOfAsync(user, (await app.ProductAsync(price: 12.5m), 2));
        await SequenceAsync();
        var events = await app.SendAsync(
            HttpMethod.Get, $"/events?aggregate=categories/{category}&aggregate=orders/{order}", null);
        var bucket = await LinesAsync<AggregateCheck>("/events/aggregates?resource=categories&bucket=0");
        using var programs = new Programs();
        programs.Write("events", events.Text);
        programs.Write("bucket", string.Join('\n', bucket.Select(row => row.Checksum)));
        var page = await File.ReadAllTextAsync(Path.Combine(Repository.Root, "docs", "consume-events.md"));
        programs.Write("program.py", PagePart.Of(page).Single(part => part.Language == "python").Text
            + "print(*map(checksum, open('events', encoding='utf-8')), checksum_of_bucket(open('bucket')))");

        var computed = await programs.RunAsync(new Dictionary<string, string>(), "python3", "program.py");

        var buckets = await LinesAsync<BucketChecksum>("/events/checksums?resource=categories&limit=1");
        computed.TrimEnd().Split('\n')[^1].Split(' ').ShouldBe([
            (await AggregateAsync(Resource.Categories.Name, category)).Checksum!,
            (await AggregateAsync(Resource.Orders.Name, order)).Checksum!,
            buckets[0].Checksum,
        ]);
    }

    [Fact]
    public async Task A_bucket_has_the_checksum_of_its_aggregates_and_empty_buckets_are_left_out()
    {
        await app.CategoryAsync();
        await CategoriesAsync(100_000, 100_499, 100_500, 103_000);

        var buckets = await LinesAsync<BucketChecksum>("/events/checksums?resource=categories&from=150");
        buckets.Select(bucket => (bucket.Bucket, bucket.Count)).ShouldBe([(200, 2), (201, 1), (206, 1)]);
        var rows = await LinesAsync<AggregateCheck>("/events/aggregates?resource=categories&bucket=200");
        rows.Select(row => row.Id).ShouldBe([100_000, 100_499]);
        buckets[0].Checksum.ShouldBe(StateChecksum.OfBucket(rows.Select(row => Convert.FromHexString(row.Checksum!))));

        (await LinesAsync<BucketChecksum>("/events/checksums?resource=categories&from=150&limit=2"))
            .Select(bucket => bucket.Bucket).ShouldBe([200, 201]);
        (await LinesAsync<BucketChecksum>("/events/checksums?resource=categories&from=202&limit=1"))
            .Select(bucket => bucket.Bucket).ShouldBe([206]);
        (await LinesAsync<BucketChecksum>("/events/checksums?resource=categories&from=4294967")).ShouldBeEmpty();
        (await LinesAsync<AggregateCheck>("/events/aggregates?resource=categories&bucket=4294967")).ShouldBeEmpty();

        await app.ScalarAsync<int>("UPDATE shop.categories SET name = name || '.' WHERE id = 100499");
        var changed = await LinesAsync<BucketChecksum>("/events/checksums?resource=categories&from=150");
        changed[0].Checksum.ShouldNotBe(buckets[0].Checksum);
        changed.Skip(1).ShouldBe(buckets.Skip(1));
    }

    [Fact]
    public async Task An_aggregate_is_listed_with_its_last_event_even_after_its_deletion()
    {
        var (living, gone) = (await app.CategoryAsync(), await app.CategoryAsync());
        (await app.DeleteAsync($"/categories/{gone}")).Status.ShouldBe(HttpStatusCode.NoContent);
        (await AggregateAsync(Resource.Categories.Name, gone))
            .ShouldBe(new AggregateCheck(gone, null, null, null, null, false, true));
        await SequenceAsync();

        var there = await AggregateAsync(Resource.Categories.Name, living);
        (there.Version, there.LoggedVersion, there.IsDeleted, there.IsWaiting).ShouldBe((1, 1, false, false));
        there.Position.ShouldBe(
            await app.ScalarAsync<long>(
                $"SELECT position FROM shop.events WHERE resource = 'categories' AND aggregate_id = {living}"));
        var deleted = await AggregateAsync(Resource.Categories.Name, gone);
        (deleted.Version, deleted.Checksum, deleted.LoggedVersion, deleted.IsDeleted).ShouldBe((null, null, 2, true));
    }

    [Theory]
    [InlineData("/events/checksums")]
    [InlineData("/events/checksums?resource=carts")]
    [InlineData("/events/checksums?resource=products;drop")]
    [InlineData("/events/checksums?resource=products&from=-1")]
    [InlineData("/events/checksums?resource=products&limit=0")]
    [InlineData("/events/checksums?resource=products&limit=1000")]
    [InlineData("/events/aggregates?resource=products")]
    [InlineData("/events/aggregates?resource=products&bucket=x")]
    [InlineData("/events/aggregates?resource=products&bucket=2147483647")]
    public async Task An_invalid_parameter_is_refused(string path) =>
        (await app.SendAsync(HttpMethod.Get, path, null)).Status.ShouldBe(HttpStatusCode.BadRequest);

    [Theory]
    [InlineData(null, HttpStatusCode.Unauthorized)]
    [InlineData(Scopes.Admin, HttpStatusCode.Forbidden)]
    [InlineData(Scopes.EventsRead, HttpStatusCode.OK)]
    public async Task Needs_the_scope_events_read(string? scope, HttpStatusCode status)
    {
        using var client = app.ClientWith(scope);
        using var checksums = await client.GetAsync("/events/checksums?resource=products");
        using var aggregates = await client.GetAsync("/events/aggregates?resource=products&bucket=0");

        checksums.StatusCode.ShouldBe(status);
        aggregates.StatusCode.ShouldBe(status);
    }

    private async Task<int> MadeAsync(string path, object body)
    {
        var answer = await app.PostAsync(path, body);
        answer.Status.ShouldBe(HttpStatusCode.Created, answer.Text);
        return answer.Body.GetProperty("id").GetInt32();
    }

    private async Task<AggregateCheck> AggregateAsync(string resource, int id)
    {
        var path = $"/events/aggregates?resource={resource}&bucket={id / StateChecksum.BucketSize}";
        return (await LinesAsync<AggregateCheck>(path)).Single(line => line.Id == id);
    }

    private async Task<List<T>> LinesAsync<T>(string path)
    {
        var answer = await app.SendAsync(HttpMethod.Get, path, null);
        answer.Status.ShouldBe(HttpStatusCode.OK, answer.Text);
        answer.MediaType.ShouldBe("application/x-ndjson");
        return [
            .. answer.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => JsonSerializer.Deserialize<T>(line, JsonSerializerOptions.Web)!),
        ];
    }

    private async Task CategoriesAsync(params int[] ids) => await app.ScalarAsync<int>(
        "INSERT INTO shop.categories (id, name, is_active, created_date, version) SELECT n, 'c', true, now(), 1 "
        + $"FROM unnest(ARRAY[{string.Join(',', ids)}]) AS n");

    private async Task SequenceAsync()
    {
        await using var connection = new NpgsqlConnection(app.Database.Commands);
        await connection.OpenAsync();
        var head = new LogHeadSignal();
        var options = Options.Create(new OutboxOptions());
        var sequencer = new Sequencer(head, new LeaderLease(options, NullLogger<LeaderLease>.Instance), options);
        await sequencer.MoveAsync(new LeaderConnection(connection), term: 0, CancellationToken.None);
    }
}
