using System.Net;
using System.Text;
using System.Text.Json;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Tests.Bulk;

/// <summary>Lists on their way in, and what they leave behind.</summary>
internal static class BulkRequests
{
    public const string Lines = "application/x-ndjson";

    extension(CommandsApp app)
    {
        public Task<Answer> PostLinesAsync(string path, params IEnumerable<object> items) =>
            app.SendTextAsync(HttpMethod.Post, path, ToLines(items), Lines);

        public async Task<Answer> SendTextAsync(HttpMethod method, string path, string text, string? type)
        {
            using var request =
                new HttpRequestMessage(method, path) { Content = new ByteArrayContent(Encoding.UTF8.GetBytes(text)) };
            if (type is not null) request.Content.Headers.TryAddWithoutValidation("Content-Type", type);
            using var response = await app.Http.SendAsync(request);
            return await Answer.ReadAsync(response);
        }

        /// <summary>So many products, and the category they are in.</summary>
        public async Task<(int CategoryId, int[] Ids)> ProductsAsync(int count)
        {
            var categoryId = await app.CategoryAsync();
            var bodies = Enumerable.Repeat(ShopBuilder.ProductBody(categoryId), count);
            return (categoryId, (await app.PostAsync("/products/bulk", bodies)).Ids);
        }

        public Task<long> CountAsync(string resource) => app.ScalarAsync<long>($"SELECT count(*) FROM shop.{resource}");

        /// <summary>
        /// Every row of these has an event of this type with its own state and version, written by the transaction that
        /// wrote the row, and as many events as its version says.
        /// </summary>
        public async Task ShouldAllHaveSaidAsync(
            string resource, IReadOnlyCollection<int> ids, string type, long version)
        {
            var function = $"{Resource.Of(resource).Singular}_state";
            var agreeing = await app.ScalarAsync<long>(
                $"""
                SELECT count(*) FROM shop.{resource} AS r JOIN shop.outbox AS o ON o.resource = '{resource}'
                    AND o.aggregate_id = r.id
                JOIN (SELECT aggregate_id, count(*) AS events FROM shop.outbox WHERE resource = '{resource}' GROUP BY 1)
                    AS e ON e.aggregate_id = r.id AND e.events = r.version
                WHERE r.id = ANY (ARRAY[{string.Join(',', ids)}]) AND r.version = {version} AND o.version = r.version
                    AND o.type = '{type}' AND o.data::text = shop.{function}(r)::text AND o.xmin = r.xmin
                """);
            agreeing.ShouldBe(ids.Count);
        }
    }

    extension(Answer answer)
    {
        public int[] Ids
        {
            get
            {
                answer.Status.ShouldBe(HttpStatusCode.Created, answer.Text);
                var ids = answer.Body.GetProperty("ids").EnumerateArray().Select(id => id.GetInt32()).ToArray();
                answer.Body.GetProperty("count").GetInt32().ShouldBe(ids.Length);
                ids.ShouldBeUnique();
                return ids;
            }
        }

        public string[] ErrorPaths =>
            [.. answer.Body.GetProperty("errors").EnumerateObject().Select(error => error.Name)];

        public void ShouldHaveReplaced(IEnumerable<int> ids, long version)
        {
            answer.Status.ShouldBe(HttpStatusCode.OK, answer.Text);
            var items = answer.Body.GetProperty("items").EnumerateArray().ToList();
            items.Select(item => item.GetProperty("id").GetInt32()).ShouldBe(ids);
            items.ShouldAllBe(item => item.GetProperty("version").GetInt64() == version);
            answer.Body.GetProperty("count").GetInt32().ShouldBe(items.Count);
        }
    }

    public static string ToLines(IEnumerable<object> items) =>
        string.Join('\n', items.Select(item => item as string ?? JsonSerializer.Serialize(item)));
}
