using System.Globalization;
using System.Text.Json.Nodes;
using ApexShop.TestKit;

namespace ApexShop.Containers.Tests;

/// <summary>compose.yaml, started and used as docs/containers.md says.</summary>
[Collection(nameof(ContainerTests))]
public sealed class ContainerTests(ReadersShop shop) : IClassFixture<ReadersShop>
{
    private static readonly string[] servers = ["postgres", "rabbitmq", "redis"];
    private static readonly string[] processes = ["commands", "projector", "queries"];

    [Fact]
    public void Everything_runs_after_the_commands_of_the_page_and_nothing_was_killed()
    {
        shop.Containers.Keys.Order().ShouldBe(
            [.. ((string[])[.. servers, .. processes, "migrate-shop", "migrate-read"]).Order()]);
        foreach (var (service, container) in shop.Containers)
        {
            var state = container["State"]!;
            ((bool)state["OOMKilled"]!).ShouldBeFalse(service);
            ((int)container["RestartCount"]!).ShouldBe(0, service);
            ((string)state["Status"]!).ShouldBe(service.StartsWith("migrate", default) ? "exited" : "running", service);
            ((int)state["ExitCode"]!).ShouldBe(0, service);
        }
    }

    [Fact]
    public void Each_container_has_limits_and_no_rights_that_it_does_not_need()
    {
        foreach (var (service, container) in shop.Containers)
        {
            var host = container["HostConfig"]!;
            ((long)host["Memory"]!).ShouldBeInRange(1, 2L << 30, service);
            ((long)host["NanoCpus"]!).ShouldBeInRange(1, 2_000_000_000, service);
            Values(host["CapDrop"]).ShouldBe(["ALL"], service);
            Values(host["SecurityOpt"]).ShouldBe(["no-new-privileges:true"], service);
            ((bool)host["ReadonlyRootfs"]!).ShouldBe(service is not ("postgres" or "rabbitmq"), service);
            Values(host["CapAdd"]).ShouldBeEmpty(service);
            ((string?)container["Config"]!["User"]).ShouldNotBeNullOrEmpty(service);
        }
    }

    [Fact]
    public async Task The_version_names_the_commit_of_the_images()
    {
        using var http = new HttpClient();
        foreach (var process in (Uri[])[shop.Commands, shop.Queries])
        {
            var version = JsonNode.Parse(await http.GetStringAsync(new Uri(process, "version")))!;
            ((string?)version["commit"]).ShouldBe(shop.Variables["APEXSHOP_COMMIT"]);
        }
    }

    [Fact]
    public async Task RabbitMQ_stops_publishers_before_its_container_has_no_memory()
    {
        var container = shop.Containers["rabbitmq"];
        var limit = (await shop.DockerAsync(
            "exec", (string)container["Id"]!, "rabbitmqctl", "-q", "eval", "vm_memory_monitor:get_memory_limit()."))
            .Trim();

        double.Parse(limit, CultureInfo.InvariantCulture)
            .ShouldBeInRange(300e6, 0.7 * (long)container["HostConfig"]!["Memory"]!);
    }

    [Fact]
    public void Ports_are_open_to_this_host_only()
    {
        var bindings = shop.Containers.Values
            .SelectMany(container => container["HostConfig"]!["PortBindings"]!.AsObject())
            .SelectMany(port => port.Value!.AsArray())
            .Select(binding => (string)binding!["HostIp"]!)
            .ToList();

        bindings.Count.ShouldBe(servers.Length + processes.Length);
        bindings.Distinct().ShouldBe(["127.0.0.1"]);
    }

    [Fact]
    public async Task No_process_runs_as_root()
    {
        foreach (var service in (string[])[.. servers, .. processes])
        {
            var owners = await shop.DockerAsync("top", (string)shop.Containers[service]["Id"]!, "-eo", "uid,pid,comm");
            var rows = owners.Split('\n', StringSplitOptions.RemoveEmptyEntries)[1..]
                .Where(row => !row.Contains(" runc:[", default))  // the engine, before it sets a health check's user
                .ToList();
            rows.ShouldNotBeEmpty(service);
            rows.Where(row => row.TrimStart().StartsWith("0 ", default)).ShouldBeEmpty(service);
        }
    }

    [Fact]
    public async Task A_process_can_write_to_tmp_only()
    {
        foreach (var service in processes)
        {
            (await shop.ShellAsync(service, "touch /tmp/a && rm /tmp/a; touch /app/a 2>&1 || echo refused"))
                .ShouldContain("refused", customMessage: service);
        }
    }

    [Fact]
    public async Task A_password_is_only_given_to_those_that_use_it()
    {
        foreach (var (service, container) in shop.Containers)
        {
            Values(container["Config"]!["Env"]).Any(value => value.Contains("shop_owner", default))
                .ShouldBe(service == "migrate-shop", service);
        }

        var image = $"{shop.Variables["COMPOSE_PROJECT_NAME"]}-commands";
        (await shop.DockerAsync("history", "--no-trunc", image)).ShouldNotContain("_KEY=");
    }

    [Fact]
    public async Task A_process_that_ends_is_started_again()
    {
        using var client = await shop.ClientAsync();
        foreach (var service in processes)
        {
            // Not waited for: the engine may end the shell together with the container.
            await shop.ComposeAsync("exec", "-d", service, "sh", "-c", """
                for folder in /proc/[0-9]*; do
                  case $(cat $folder/comm) in dotnet | ApexShop.*) kill -9 "${folder#/proc/}" ;; esac
                done
                """);
            await Eventually.Holds(
                async () => (int)(await shop.ContainersAsync())[service]["RestartCount"]! == 1,
                $"the engine starts {service} again",
                TimeSpan.FromMinutes(2));
            var saved = await client.Categories.CreateAsync(new($"After the end of {service}"));
            (await client.Categories.GetAsync(saved.Id)).Name.ShouldBe($"After the end of {service}");
        }

        var containers = await shop.ContainersAsync();
        foreach (var service in processes) ((int)containers[service]["RestartCount"]!).ShouldBe(1, service);
    }

    private static List<string> Values(JsonNode? node) =>
        node is JsonArray values ? [.. values.Select(value => (string)value!)] : [];
}
