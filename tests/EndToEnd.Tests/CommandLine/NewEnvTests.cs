namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>deploy/compose/new-env.sh in a clone, beside the Docker data of another one.</summary>
public sealed class NewEnvTests : IDisposable
{
    // $STATE/compose is the folder of the clone; `docker` prints the volumes of a project.
    private const string Clone = """
        unset COMPOSE_PROJECT_NAME
        mkdir "$STATE/programs" "$STATE/compose"
        cd "$ROOT/deploy/compose"
        cp -R .env.example new-env.sh etcd haproxy postgres rabbitmq redis "$STATE/compose"
        cd "$STATE/compose"
        PATH=$STATE/programs:$PATH
        docker_has() {
          printf '#!/bin/sh\ncase "$*" in "volume ls"*=%s) echo volume ;; esac\n' "$1" >"$STATE/programs/docker"
          chmod +x "$STATE/programs/docker"
        }

        """;

    private readonly ScriptFolder script = new();

    public void Dispose() => script.Dispose();

    [Theory]
    [InlineData("apexshop")]
    [InlineData("apexshop-cluster")]
    public async Task A_second_clone_needs_a_project_name_of_its_own(string first)
    {
        var run = await script.RunAsync(Clone + $"""
            docker_has {first}
            sh new-env.sh || ls -A | grep -c '^.env' || true
            COMPOSE_PROJECT_NAME=second sh new-env.sh
            grep '^COMPOSE_PROJECT_NAME' .env
            """);

        run.ExitCode.ShouldBe(0, run.Text);
        run.Error.ShouldContain($"volumes of the project {first},");
        run.Output.ShouldStartWith("1\nWrote .env", Case.Sensitive, "only .env.example is there after the refusal");
        run.Output.ShouldEndWith("COMPOSE_PROJECT_NAME=second\n");
    }

    [Fact]
    public async Task Without_Docker_it_writes_the_passwords_and_no_project_name()
    {
        var run = await script.RunAsync(Clone + """
            printf '#!/bin/sh\nexit 127\n' >"$STATE/programs/docker"
            chmod +x "$STATE/programs/docker"
            sh new-env.sh >/dev/null
            grep -c '^POSTGRES_PASSWORD=..' .env
            grep -c '^COMPOSE_PROJECT_NAME' .env || true
            """);

        run.Output.ShouldBe("1\n0\n", run.Text);
    }

    [Fact]
    public async Task When_Docker_does_not_answer_nothing_is_written()
    {
        var run = await script.RunAsync(Clone + """
            printf '#!/bin/sh\necho "permission denied" >&2\nexit 1\n' >"$STATE/programs/docker"
            chmod +x "$STATE/programs/docker"
            ! sh new-env.sh
            ls -A | grep -c '^.env'
            """);

        run.Output.ShouldBe("1\n", run.Text);
        run.Error.ShouldContain("permission denied");
    }

    [Fact]
    public async Task The_users_of_the_containers_can_read_what_is_mounted_and_only_that()
    {
        var run = await script.RunAsync(Clone + """
            docker_has nothing
            chmod -R go= .
            sh new-env.sh >/dev/null
            find etcd haproxy postgres rabbitmq redis ! -perm -o=r -o -type d ! -perm -o=x
            stat -c %a .env .env.admin .env.example
            """);

        run.Output.ShouldBe("600\n600\n600\n", run.Text);
    }
}
